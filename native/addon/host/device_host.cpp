#include "addon/host/device_host.h"

#include <utility>
#include <vector>

#include "addon/environment/addon_state.h"
#include "addon/values/js_error.h"

namespace ndml {

namespace {

/**
 * How long an ending environment waits for the GPU. Most work finishes within this time. The wait delays the end of the
 * worker or of the process. Windows gives each piece of GPU work the same time (its timeout detection, TDR).
 */
constexpr DWORD kShutdownTimeoutMs = 2000;

/** Calls the function, if there is one. Ignores exceptions, because no caller could handle them. */
void CallBack(const Napi::Function& function, const std::vector<napi_value>& arguments) {
  if (function.IsEmpty()) return;
  try {
    function.Call(arguments);
  } catch (const Napi::Error&) {
    // The facade's callbacks throw only while the environment is torn down.
  }
}

/** Gives the device a queue, and what records its work. */
DeviceRemains WithQueue(GpuDevice gpu, const std::shared_ptr<LiveCounters>& counters) {
  DeviceRemains device;
  device.gpu = std::move(gpu);
  device.queue = std::make_unique<CommandQueue>(device.gpu.d3d12.Get(), device.gpu.dml.Get(), device.gpu.queue,
                                                device.gpu.has_timeout);
  device.work = std::make_unique<GpuWork>(device.gpu.d3d12, device.gpu.dml, device.queue.get(), counters);
  return device;
}

}  // namespace

std::shared_ptr<DeviceHost> DeviceHost::Create(Napi::Env env, GpuDevice device) {
  std::shared_ptr<DeviceHost> host(new DeviceHost(env, std::move(device)));
  host->Start();
  return host;
}

DeviceHost::DeviceHost(Napi::Env env, GpuDevice device)
    : env_(env),
      counters_(std::make_shared<LiveCounters>(AddonState::Of(env).counters, device.memory_limit)),
      device_(WithQueue(std::move(device), counters_)),
      video_memory_(std::make_unique<VideoMemory>(gpu().adapter_handle)),
      sharing_(&gpu()),
      children_(env),
      pooled_(env, counters_),
      reads_(env, &queue(), &settlements_),
      idles_(env, &settlements_),
      wait_(&queue(), &work(), &reads_, &settlements_, &notifier_) {}

void DeviceHost::Start() {
  notifier_.Open(env_, shared_from_this(), [this] { OnNotified(); });
  // Cleanup hooks run in reverse order. This one is registered after the notifier's function, so it runs before its hook.
  napi_add_env_cleanup_hook(env_, OnEnvironmentEnd, this);
  counters_->Add(&LiveCounters::devices, 1);
  try {
    queue().Start([this] { notifier_.Notify(); });
  } catch (...) {
    closing_ = true;
    napi_remove_env_cleanup_hook(env_, OnEnvironmentEnd, this);
    Shutdown();
    throw;
  }
}

void DeviceHost::RequireOpen() {
  if (closing_) throw Failure("ERR_DISPOSED", "the device has been disposed");
  DetectLoss();
  if (lost_) throw *lost_;
}

void DeviceHost::DetectLoss() {
  if (device_.queue && FAILED(queue().CheckRemoved())) MarkLost(queue().removed_reason());
}

Failure DeviceHost::Explain(Failure failure) {
  DetectLoss();
  if (failure.IsDeviceLost() && !lost_) MarkLost(failure.result().value_or(DXGI_ERROR_DEVICE_REMOVED));
  // After a removal, calls fail with arbitrary results. The removal is the real reason.
  if (lost_ && !failure.IsDeviceLost()) return *lost_;
  return failure;
}

void DeviceHost::MarkLost(HRESULT reason) {
  if (lost_) return;
  lost_ = Failure("ERR_DEVICE_LOST", "the device was removed (" + HresultName(reason) + ")")
              .Call("GetDeviceRemovedReason", reason);
  if (device_.work) work().Abandon();
  notifier_.Notify();
  // Until the callback is called; else the process might end before.
  notifier_.KeepLoopAlive(true);
}

void DeviceHost::SettleFinished() {
  ResolveFinished();
  settlements_.Settle(env_);
  UpdateReference();
}

void DeviceHost::SetLostCallback(Napi::Function callback) {
  // Not RequireOpen, which throws on a lost device: a callback that is set after the loss must be called, too.
  if (closing_) throw Failure("ERR_DISPOSED", "the device has been disposed");
  lost_callback_ = Napi::Weak(callback);
  if (!lost_) return;
  loss_told_ = false;
  notifier_.Notify();
}

void DeviceHost::SetBudgetCallback(Napi::Function callback) {
  RequireOpen();
  if (!video_memory_->IsWatched()) Run([&] { video_memory_->Watch([this] { notifier_.Notify(); }); });
  budget_callback_ = Napi::Weak(callback);
}

void DeviceHost::Close() {
  if (closing_) return;
  closing_ = true;
  lost_callback_.Reset();
  budget_callback_.Reset();
  children_.ReleaseAll();
  work().Abandon();
  if (queue().IsWaitingForOthers()) {
    // The work behind the wait may never run. Its memory is kept until it has.
    const Failure lost_wait("ERR_DISPOSED",
                            "the device was disposed while its work waited for a fence that other code has to signal");
    reads_.RejectAll(lost_wait);
    idles_.RejectAll(lost_wait);
  }
  Drain();
}

void DeviceHost::OnNotified() {
  const std::shared_ptr<DeviceHost> alive = shared_from_this();
  try {
    // If promises were settled, scripts continue first, and this runs again at the next turn of the event loop.
    if (Drain()) {
      if (!work().IsPrepared()) notifier_.Notify();
    } else if (!closed_ && !lost_) {
      work().PrepareNext();
    }
  } catch (...) {
    // There is no caller to report the error to. If the device is lost, the program's next call reports it.
  }
}

void DeviceHost::OnEnvironmentEnd(void* data) {
  auto* host = static_cast<DeviceHost*>(data);
  const std::shared_ptr<DeviceHost> alive = host->shared_from_this();
  host->closing_ = true;
  host->settlements_.Clear();
  host->Shutdown();
}

bool DeviceHost::Drain() {
  if (closed_) return false;
  CollectFinished();
  const bool settles = !settlements_.IsEmpty();
  const bool tells_budget = !closed_ && TakeBudgetNotice();
  const bool tells_loss = lost_ && !std::exchange(loss_told_, true);
  // Scripts run from here on. They may close the device, which resets the callbacks.
  settlements_.Settle(env_);
  if (tells_budget) CallBack(budget_callback_.Value(), {});
  if (tells_loss) CallBack(lost_callback_.Value(), {ToJsError(env_, *lost_).Value()});
  UpdateReference();
  return settles && !closed_;
}

void DeviceHost::CollectFinished() {
  DetectLoss();
  if (lost_) {
    // Reject the promises first, so that nothing more is copied into arrays.
    reads_.RejectAll(*lost_);
    idles_.RejectAll(*lost_);
  }
  reads_.CopyReady();
  ResolveFinished();
  if (queue().TakeIdleNotice()) work().FreeUnused();
  pooled_.Update();
  const bool is_finished = queue().finished() >= queue().last_submitted() && reads_.IsEmpty() && idles_.IsEmpty();
  if (closing_ && (is_finished || queue().GpuIsGone())) {
    napi_remove_env_cleanup_hook(env_, OnEnvironmentEnd, this);
    Shutdown();
  }
}

void DeviceHost::ResolveFinished() {
  // Read the value before retiring the work, so that all batches up to it are retired.
  const uint64_t finished = queue().finished();
  work().Retire();
  reads_.Resolve(finished);
  idles_.Resolve(finished);
}

bool DeviceHost::TakeBudgetNotice() {
  if (lost_ || closing_ || !video_memory_->TakeShrinking()) return false;
  work().FreeUnused();
  return true;
}

void DeviceHost::UpdateReference() {
  const bool tells_loss = lost_ && !loss_told_ && !lost_callback_.Value().IsEmpty();
  notifier_.KeepLoopAlive(!reads_.IsEmpty() || !idles_.IsEmpty() || !settlements_.IsEmpty() || tells_loss);
}

void DeviceHost::Shutdown() {
  if (closed_) return;
  closed_ = true;
  children_.ReleaseAll();
  // Destroy it first, because its callbacks must not notify a closed device.
  video_memory_.reset();
  queue().Stop();
  work().Abandon();
  {
    DeviceRemains remains = std::exchange(device_, {});
    // Memory that the GPU still uses must not be freed.
    const DWORD timeout = remains.queue->IsWaitingForOthers() ? 0 : kShutdownTimeoutMs;
    if (!remains.queue->Finish(timeout)) ReleaseWhenFinished(std::move(remains));
  }
  reads_.Clear();
  idles_.Clear();
  lost_callback_.Reset();
  budget_callback_.Reset();
  pooled_.End();
  counters_->Add(&LiveCounters::devices, -1);
  notifier_.Close();
}

}  // namespace ndml
