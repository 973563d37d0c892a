/**
 * The work of a device: everything that records commands for its queue, and the memory that the commands need.
 *
 * Contract: one instance per device, used on the JavaScript thread. Work executes in the order in which it is recorded.
 * No method waits for the GPU: see waiting.h. Everything that the work uses (buffers, operators, staging memory, heaps)
 * is kept alive until the GPU has passed its fence value; then `Retire` releases it.
 */
#pragma once

#include <memory>

#include "gpu/memory/spare_buffers.h"
#include "gpu/work/profiler.h"
#include "gpu/work/readbacks.h"
#include "gpu/work/recording_player.h"
#include "gpu/work/uploads.h"

namespace ndml {

/** Memory that is kept for later work, in bytes. */
struct IdleMemory {
  uint64_t temporary = 0;
  uint64_t descriptors = 0;
};

class GpuWork {
 public:
  GpuWork(ComPtr<ID3D12Device> device, ComPtr<IDMLDevice> dml, CommandQueue* queue,
          const std::shared_ptr<LiveCounters>& counters);
  GpuWork(const GpuWork&) = delete;
  GpuWork& operator=(const GpuWork&) = delete;

  Batches& batches() { return batches_; }
  Copies& copies() { return copies_; }
  LaterReads& later_reads() { return later_reads_; }
  Uploads& uploads() { return uploads_; }
  Readbacks& readbacks() { return readbacks_; }
  CommandRecorder& recorder() { return recorder_; }
  RecordingPlayer& recordings() { return recordings_; }
  Profiler& profiler() { return profiler_; }
  SpareBuffers& spare_buffers() { return spare_buffers_; }

  /** Submits the recorded work, if any. Returns the fence value of all work so far. */
  uint64_t Submit() { return batches_.Submit(); }
  /** Drops work that is recorded but not submitted. */
  void Abandon() { batches_.Abandon(); }
  /** Releases the resources of finished work, and frees memory that was unused for a second. */
  void Retire();
  /** If the GPU has nothing to do, makes the next batch begin faster. */
  void PrepareNext();
  /** True if PrepareNext would have nothing to do. */
  bool IsPrepared() const { return batches_.IsPrepared(); }
  /** Frees everything unused except for a small reserve. */
  void FreeUnused();
  /** Retires finished work, and returns the memory that no work uses, by kind. */
  IdleMemory Idle();

 private:
  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  CommandQueue* queue_;
  BindingTables tables_;
  UploadPool upload_pool_;
  Batches batches_;
  TemporaryResource temporary_;
  Copies copies_;
  LaterReads later_reads_;
  Uploads uploads_;
  Readbacks readbacks_;
  CommandRecorder recorder_;
  RecordingPlayer recordings_;
  Profiler profiler_;
  SpareBuffers spare_buffers_;
};

}  // namespace ndml
