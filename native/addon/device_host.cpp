#include "addon/device_host.h"

#include <utility>
#include <vector>

#include "addon/addon_state.h"
#include "addon/js_error.h"
#include "gpu/orphans.h"

namespace ndml {

namespace {

/**
 * How long an ending environment waits for the GPU. Most work is finished by then. The wait blocks the end of the
 * worker or of the process. Windows gives a single piece of GPU work the same time (its timeout detection, TDR).
 */
constexpr DWORD kShutdownTimeoutMs = 2000;
/** So often a call that waits for the GPU makes the copies for which the GPU may be waiting. */
constexpr DWORD kWaitPollMs = 10;

/** Calls the function, if there is one. Nobody would catch what it throws. */
void CallBack(const Napi::Function& function, const std::vector<napi_value>& arguments) {
  if (function.IsEmpty()) return;
  try {
    function.Call(arguments);
  } catch (const Napi::Error&) {
    // The facade's callbacks throw only while the environment is torn down.
  }
}

}  // namespace

std::shared_ptr<DeviceHost> DeviceHost::Create(Napi::Env env, GpuDevice device) {
  std::shared_ptr<DeviceHost> host(new DeviceHost(env, std::move(device)));
  host->Start();
  return host;
}

DeviceHost::DeviceHost(Napi::Env env, GpuDevice device)
    : env_(env),
      counters_(std::make_shared<LiveCounters>(AddonState::Of(env).counters)),
      gpu_(std::move(device)),
      video_memory_(std::make_unique<VideoMemory>(gpu_.adapter_handle)) {
  queue_ = std::make_unique<CommandQueue>(gpu_.d3d12.Get(), gpu_.dml.Get());
  work_ = std::make_unique<GpuWork>(gpu_.d3d12, gpu_.dml, queue_.get(), counters_);
}

void DeviceHost::Start() {
  // The thread-safe function holds a reference to the host until it is finalized.
  auto self = std::make_unique<std::shared_ptr<DeviceHost>>(shared_from_this());
  const napi_status status =
      napi_create_threadsafe_function(env_, nullptr, nullptr, Napi::String::New(env_, "node-directml device"), 0, 1,
                                      self.get(), OnFinalized, this, OnNotified, &tsfn_);
  if (status != napi_ok) throw Napi::Error::New(env_);
  static_cast<void>(self.release());
  napi_unref_threadsafe_function(env_, tsfn_);
  // Cleanup hooks run in reverse order: registered after the function, this one runs before the function's own.
  napi_add_env_cleanup_hook(env_, OnEnvironmentEnd, this);
  counters_->Add(&LiveCounters::devices, 1);
  try {
    queue_->Start([this] { Notify(); });
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

Failure DeviceHost::Explain(Failure failure) {
  if (queue_ && FAILED(queue_->CheckRemoved())) MarkLost(queue_->removed_reason());
  if (failure.IsDeviceLost() && !lost_) MarkLost(failure.result().value_or(DXGI_ERROR_DEVICE_REMOVED));
  // After a removal, calls fail with arbitrary results. The removal is the real reason.
  if (lost_ && !failure.IsDeviceLost()) return *lost_;
  return failure;
}

void DeviceHost::WaitBriefly(uint64_t fence_value, Waited* waited) {
  if (queue_->WaitOnThisThread(fence_value, kWaitPollMs)) return;
  waited->Add(fence_value, kWaitPollMs);
  CopyReady();
  if (!settlements_.IsEmpty()) Notify();
  ThrowIfFailed(queue_->CheckRemoved(), "GetDeviceRemovedReason");
}

Napi::Promise DeviceHost::Idle() { return ResolveWhenFinished(nullptr); }

Napi::Promise DeviceHost::ResolveWhenFinished(std::shared_ptr<const Profile> profile) {
  PendingIdle idle = {Napi::Promise::Deferred::New(env_), 0, std::move(profile)};
  const Napi::Promise promise = idle.deferred.Promise();
  try {
    // A hook of promises is a script: it has run by now, and may have closed the device.
    RequireOpen();
    idle.fence_value = Run([&] { return work_->Submit(); });
  } catch (...) {
    idle.deferred.Reject(CurrentExceptionToJs(env_).Value());
    return promise;
  }
  idles_.push_back(idle);
  // Earlier work may have finished while the program recorded. Its promises need not wait for the event loop.
  work_->Retire();
  SettleFinished();
  settlements_.Settle(env_);
  UpdateReference();
  return promise;
}

void DeviceHost::SetLostCallback(Napi::Function callback) {
  // RequireOpen would throw on a lost device. A callback that is set after the loss must be called, too.
  if (closing_) throw Failure("ERR_DISPOSED", "the device has been disposed");
  lost_callback_ = Napi::Weak(callback);
  if (!lost_) return;
  loss_told_ = false;
  Notify();
}

void DeviceHost::RemoveForTesting() { RemoveDevice(gpu_); }

void DeviceHost::Close() {
  if (closing_) return;
  closing_ = true;
  lost_callback_.Reset();
  budget_callback_.Reset();
  const std::unordered_set<DeviceChild*> children = std::move(children_);
  children_.clear();
  for (DeviceChild* child : children) child->ReleaseNative();
  work_->Abandon();
  Drain();
}

void DeviceHost::Notify() {
  if (notified_.exchange(true)) return;
  napi_call_threadsafe_function(tsfn_, nullptr, napi_tsfn_nonblocking);
}

void DeviceHost::OnNotified(napi_env env, napi_value, void* context, void*) {
  // Node-API passes a null environment while the function is being closed. The host is closed by then.
  if (env == nullptr) return;
  auto* host = static_cast<DeviceHost*>(context);
  host->notified_ = false;
  const Napi::HandleScope scope(env);
  if (!CanRunJs(env)) return;
  const std::shared_ptr<DeviceHost> alive = host->shared_from_this();
  try {
    // If the script was given something, it goes on first.
    if (host->Drain()) {
      host->Notify();
    } else if (!host->closed_ && !host->lost_) {
      host->work_->PrepareNext();
    }
  } catch (...) {
    // JavaScript can report this to nobody. The next call of the program detects a lost device.
  }
}

void DeviceHost::OnFinalized(napi_env, void* data, void*) { delete static_cast<std::shared_ptr<DeviceHost>*>(data); }

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
  // Scripts run from here on. They may close the device, which forgets the callbacks.
  settlements_.Settle(env_);
  if (tells_budget) CallBack(budget_callback_.Value(), {});
  if (tells_loss) CallBack(lost_callback_.Value(), {ToJsError(env_, *lost_).Value()});
  UpdateReference();
  return settles && !closed_;
}

void DeviceHost::CollectFinished() {
  DetectLoss();
  CopyReady();
  work_->Retire();
  if (queue_->TakeIdleNotice()) work_->FreeUnused();
  ReportPooled();
  abandoned_reads_.remove_if([&](const PendingRead& read) { return read.fence_value <= queue_->finished(); });
  if (lost_) {
    RejectPending(*lost_);
  } else {
    SettleFinished();
  }
  const bool is_finished = queue_->finished() >= queue_->last_submitted() && reads_into_.empty();
  if (closing_ && (is_finished || queue_->GpuIsGone())) {
    napi_remove_env_cleanup_hook(env_, OnEnvironmentEnd, this);
    Shutdown();
  }
}

void DeviceHost::SettleFinished() {
  const uint64_t finished = queue_->finished();
  for (; !reads_.empty() && reads_.front().fence_value <= finished; reads_.pop_front()) {
    settlements_.Resolve(reads_.front().deferred, std::move(reads_.front().target));
  }
  for (; !idles_.empty() && idles_.front().fence_value <= finished; idles_.pop_front()) Settle(idles_.front());
}

void DeviceHost::DetectLoss() {
  if (!lost_ && queue_ && FAILED(queue_->CheckRemoved())) MarkLost(queue_->removed_reason());
}

void DeviceHost::MarkLost(HRESULT reason) {
  if (lost_) return;
  lost_ = Failure("ERR_DEVICE_LOST", "the device was removed (" + HresultName(reason) + ")")
              .Call("GetDeviceRemovedReason", reason);
  work_->Abandon();
  Notify();
}

void DeviceHost::RejectPending(const Failure& failure) {
  for (const PendingRead& read : reads_) settlements_.Reject(read.deferred, failure);
  // This keeps the targets alive: the waiter may still be copying to them, and raises finished() only when it is done.
  abandoned_reads_.splice(abandoned_reads_.end(), reads_);
  for (const auto& [number, read] : reads_into_) settlements_.Reject(read.deferred, failure);
  reads_into_.clear();
  for (const PendingIdle& idle : idles_) settlements_.Reject(idle.deferred, failure);
  idles_.clear();
}

// The event loop must stay alive while a promise is pending, and only then.
void DeviceHost::UpdateReference() {
  const bool wanted = !reads_.empty() || !reads_into_.empty() || !idles_.empty() || !settlements_.IsEmpty() ||
                      (lost_ && !loss_told_ && !lost_callback_.Value().IsEmpty());
  if (wanted == referenced_ || tsfn_ == nullptr) return;
  referenced_ = wanted;
  if (wanted) {
    napi_ref_threadsafe_function(env_, tsfn_);
  } else {
    napi_unref_threadsafe_function(env_, tsfn_);
  }
}

void DeviceHost::Shutdown() {
  if (closed_) return;
  closed_ = true;
  const std::unordered_set<DeviceChild*> children = std::move(children_);
  children_.clear();
  for (DeviceChild* child : children) child->ReleaseNative();
  // Its thread must not notify a device that is gone.
  video_memory_.reset();
  queue_->Stop();
  work_->Abandon();
  {
    DeviceRemains remains = {std::move(gpu_), std::move(queue_), std::move(work_)};
    // Memory that the GPU still uses must not be freed.
    if (!remains.queue->Finish(kShutdownTimeoutMs)) ReleaseWhenFinished(std::move(remains));
  }
  reads_.clear();
  reads_into_.clear();
  idles_.clear();
  abandoned_reads_.clear();
  lost_callback_.Reset();
  budget_callback_.Reset();
  ReportPooled();
  counters_->Add(&LiveCounters::devices, -1);
  const napi_threadsafe_function tsfn = tsfn_;
  tsfn_ = nullptr;
  napi_release_threadsafe_function(tsfn, napi_tsfn_abort);
}

}  // namespace ndml
