/** Measures the GPU time of everything that is recorded while a profile runs: see timestamps.h. */
#pragma once

#include <cstddef>
#include <memory>

#include "gpu/work/command_recorder.h"

namespace ndml {

class Profiler {
 public:
  Profiler(ID3D12Device* device, CommandQueue* queue, Batches* batches, CommandRecorder* recorder,
           std::shared_ptr<LiveCounters> counters)
      : device_(device), queue_(queue), batches_(batches), recorder_(recorder), counters_(std::move(counters)) {}

  /**
   * Submits the work so far, and measures the GPU time of everything that is recorded from now on. If the queue has no
   * timestamps, does nothing and returns false. Throws if a profile is running.
   */
  bool Start();
  /**
   * Like `Dispatch` of the recorder, but also measures the dispatch separately. Returns its index in the profile. Throws
   * if no profile is running.
   */
  size_t Dispatch(const DispatchCommand& command);
  /** Submits the work so far. The profile is complete when it is finished and retired. Throws if no profile is running. */
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
