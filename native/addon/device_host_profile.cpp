/** The part of the device host that measures GPU time. */
#include "addon/array_buffer.h"
#include "addon/device_host.h"
#include "addon/own_properties.h"

namespace ndml {

namespace {

/** Converts to the NativeGpuTimes of binding.d.ts. */
Napi::Object TimesToJs(Napi::Env env, const Profile& profile) {
  const size_t count = profile.dispatch_count();
  Napi::ArrayBuffer dispatches = NewArrayBuffer(env, uint64_t{count} * sizeof(double));
  auto* const milliseconds = static_cast<double*>(dispatches.Data());
  for (size_t i = 0; i < count; ++i) milliseconds[i] = profile.DispatchMilliseconds(i);
  const Napi::Object times = Napi::Object::New(env);
  DefineOwn(times, "total", profile.TotalMilliseconds());
  DefineOwn(times, "dispatches", dispatches);
  return times;
}

}  // namespace

bool DeviceHost::StartProfile() {
  return Run([&] { return work_->profiler().Start(); });
}

Napi::Promise DeviceHost::EndProfile() {
  return ResolveWhenFinished(Run([&] { return work_->profiler().End(); }));
}

void DeviceHost::Settle(const PendingIdle& idle) {
  if (!idle.profile) {
    settlements_.Resolve(idle.deferred);
    return;
  }
  // The GPU may have finished the last batches since they were last retired.
  work_->Retire();
  try {
    settlements_.Resolve(idle.deferred, Napi::Persistent(TimesToJs(env_, *idle.profile)));
  } catch (const Failure& failure) {
    settlements_.Reject(idle.deferred, failure);
  }
}

}  // namespace ndml
