/**
 * Waits for the GPU on the JavaScript thread when native/gpu asks for it (waiting.h). Meanwhile makes the copies of reads,
 * because the GPU may in turn be waiting for those. Runs no script.
 */
#pragma once

#include "addon/environment/loop_notifier.h"
#include "addon/host/pending_reads.h"
#include "gpu/work/gpu_work.h"

namespace ndml {

class GpuWait {
 public:
  GpuWait(CommandQueue* queue, GpuWork* work, PendingReads* reads, const Settlements* settlements,
          LoopNotifier* notifier)
      : queue_(queue), work_(work), reads_(reads), settlements_(settlements), notifier_(notifier) {}

  /** Calls `attempt`, a `Try` method of native/gpu, until it need not wait any more. Throws if the device was removed. */
  template <typename Attempt>
  void For(Attempt&& attempt) {
    Waited waited;
    while (const WaitFor value = attempt(waited)) Briefly(*value, &waited);
  }
  /** Opens a batch for the next command. */
  void ForBatch() {
    For([this](const Waited& waited) { return work_->batches().TryOpen(waited); });
  }

 private:
  /** Waits up to kWaitPollMs for the fence value, then makes the copies of reads that are ready. */
  void Briefly(uint64_t fence_value, Waited* waited);

  CommandQueue* queue_;
  GpuWork* work_;
  PendingReads* reads_;
  const Settlements* settlements_;
  LoopNotifier* notifier_;
};

}  // namespace ndml
