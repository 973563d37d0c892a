#include "addon/host/gpu_wait.h"

namespace ndml {

namespace {

/** Interval at which a wait makes the copies of reads, for which the GPU may be waiting. */
constexpr DWORD kWaitPollMs = 10;

}  // namespace

void GpuWait::Briefly(uint64_t fence_value, Waited* waited) {
  if (queue_->WaitOnThisThread(fence_value, kWaitPollMs)) return;
  waited->Add(fence_value, kWaitPollMs);
  ThrowIfFailed(queue_->CheckRemoved(), "GetDeviceRemovedReason");
  reads_->CopyReady();
  // The promises are settled at the next turn of the event loop.
  if (!settlements_->IsEmpty()) notifier_->Notify();
}

}  // namespace ndml
