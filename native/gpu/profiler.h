/** Measures the GPU time of all that is recorded while a profile runs: see timestamps.h. */
#pragma once

#include <cstddef>
#include <memory>

#include "gpu/command_recorder.h"

namespace ndml {

class Profiler {
 public:
  Profiler(ID3D12Device* device, CommandQueue* queue, Batches* batches, CommandRecorder* recorder,
           std::shared_ptr<LiveCounters> counters)
      : device_(device), queue_(queue), batches_(batches), recorder_(recorder), counters_(std::move(counters)) {}

  /**
   * Submits, and measures the GPU time of all that is recorded from now on. Returns false, and measures nothing, if the
   * queue has no timestamps. Throws if a profile is running.
   */
  bool Start();
  /**
   * Like `Dispatch` of the recorder, but also measures the dispatch separately. Returns its index in the profile. Throws
   * if none is running.
   */
  size_t Dispatch(const DispatchCommand& command);
  /** Submits. The profile is complete when that work is finished and retired. Throws if none is running. */
  std::shared_ptr<const Profile> End();

 private:
  void RequireRunning() const;

  ID3D12Device* device_;
  CommandQueue* queue_;
  Batches* batches_;
  CommandRecorder* recorder_;
  std::shared_ptr<LiveCounters> counters_;
  /** Null unless a profile is running. */
  std::shared_ptr<Profile> profile_;
};

}  // namespace ndml
