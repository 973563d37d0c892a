/** Runs calls into native/gpu for one device, detects its removal, and reports that as the error of failed calls. */
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "addon/environment/loop_notifier.h"
#include "gpu/device/device.h"
#include "gpu/work/gpu_work.h"
#include "gpu/work/orphans.h"

namespace ndml {

class GpuCalls {
 public:
  /** `notifier` is notified when the loss of the device is detected. */
  GpuCalls(GpuDevice device, const std::shared_ptr<LiveCounters>& counters, LoopNotifier* notifier);
  GpuCalls(const GpuCalls&) = delete;
  GpuCalls& operator=(const GpuCalls&) = delete;

  const GpuDevice& gpu() const { return device_.gpu; }
  CommandQueue& queue() { return *device_.queue; }
  GpuWork& work() { return *device_.work; }

  /** Runs native calls. A failure carries the debug layer's messages; a removal marks the device as lost. */
  template <typename Body>
  auto Run(Body&& body) -> decltype(body()) {
    try {
      return WithDebugMessages(gpu().info_queue.Get(), body);
    } catch (Failure& failure) {
      throw Explain(std::move(failure));
    }
  }

  /** Checks whether the device was removed. The open batch of a lost device is dropped. */
  void DetectLoss();
  /** The failure of every call on a lost device; empty unless the device is known to be lost. */
  const std::optional<Failure>& lost() const { return lost_; }

  /** Gives up the device. Only `lost` and `Run` may be called afterwards. */
  DeviceRemains Take() { return std::exchange(device_, {}); }

 private:
  /** Returns the failure to report: ERR_DEVICE_LOST if the device was removed, else the failure itself. */
  Failure Explain(Failure failure);
  void MarkLost(HRESULT reason);

  DeviceRemains device_;
  LoopNotifier* notifier_;
  std::optional<Failure> lost_;
};

}  // namespace ndml
