/** The part of the device host that measures GPU time. */
#include "addon/array_buffer.h"
#include "addon/device_host.h"
#include "addon/js_error.h"

namespace ndml {

namespace {

/** Converts to the NativeGpuTimes of binding.d.ts. */
Napi::Value TimesToJs(Napi::Env env, const Profile& profile) {
  const size_t count = profile.dispatch_count();
  Napi::ArrayBuffer dispatches = NewArrayBuffer(env, uint64_t{count} * sizeof(double));
  auto* const milliseconds = static_cast<double*>(dispatches.Data());
  for (size_t i = 0; i < count; ++i) milliseconds[i] = profile.DispatchMilliseconds(i);
  const Napi::Object times = Napi::Object::New(env);
  times.Set("total", profile.TotalMilliseconds());
  times.Set("dispatches", dispatches);
  return times;
}

}  // namespace

bool DeviceHost::StartProfile() {
  return Run([&] { return recorder_->StartProfile(); });
}

Napi::Promise DeviceHost::EndProfile() {
  return ResolveWhenFinished(Run([&] { return recorder_->EndProfile(); }));
}

void DeviceHost::Settle(const PendingIdle& idle) {
  if (!idle.profile) {
    idle.deferred.Resolve(env_.Undefined());
    return;
  }
  // The GPU may have finished the last batches since the recorder last looked.
  recorder_->Retire();
  try {
    idle.deferred.Resolve(TimesToJs(env_, *idle.profile));
  } catch (const Failure& failure) {
    idle.deferred.Reject(ToJsError(env_, failure).Value());
  }
}

}  // namespace ndml
