#include "addon/host/gpu_calls.h"

namespace ndml {

GpuCalls::GpuCalls(GpuDevice device, const std::shared_ptr<LiveCounters>& counters, LoopNotifier* notifier)
    : notifier_(notifier) {
  device_.gpu = std::move(device);
  device_.queue = std::make_unique<CommandQueue>(gpu().d3d12.Get(), gpu().dml.Get(), gpu().queue);
  device_.work = std::make_unique<GpuWork>(gpu().d3d12, gpu().dml, device_.queue.get(), counters);
}

void GpuCalls::DetectLoss() {
  if (device_.queue && FAILED(queue().CheckRemoved())) MarkLost(queue().removed_reason());
}

Failure GpuCalls::Explain(Failure failure) {
  DetectLoss();
  if (failure.IsDeviceLost() && !lost_) MarkLost(failure.result().value_or(DXGI_ERROR_DEVICE_REMOVED));
  // After a removal, calls fail with arbitrary results. The removal is the real reason.
  if (lost_ && !failure.IsDeviceLost()) return *lost_;
  return failure;
}

void GpuCalls::MarkLost(HRESULT reason) {
  if (lost_) return;
  lost_ = Failure("ERR_DEVICE_LOST", "the device was removed (" + HresultName(reason) + ")")
              .Call("GetDeviceRemovedReason", reason);
  if (device_.work) work().Abandon();
  notifier_->Notify();
  // Until the callback is called; else the process might end before.
  notifier_->KeepLoopAlive(true);
}

}  // namespace ndml
