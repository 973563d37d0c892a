#include "addon/host/pending_idles.h"

#include <utility>

#include "addon/values/array_buffer.h"
#include "addon/values/own_properties.h"

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

void PendingIdles::Add(const Napi::Promise::Deferred& deferred, uint64_t fence_value,
                       std::shared_ptr<const Profile> profile) {
  idles_.push_back({deferred, fence_value, std::move(profile)});
}

void PendingIdles::Resolve(uint64_t finished) {
  for (; !idles_.empty() && idles_.front().fence_value <= finished; idles_.pop_front()) Resolve(idles_.front());
}

void PendingIdles::Resolve(const Idle& idle) {
  if (!idle.profile) {
    settlements_->Resolve(idle.deferred);
    return;
  }
  try {
    settlements_->Resolve(idle.deferred, Napi::Persistent(TimesToJs(env_, *idle.profile)));
  } catch (const Failure& failure) {
    settlements_->Reject(idle.deferred, failure);
  }
}

void PendingIdles::RejectAll(const Failure& failure) {
  for (const Idle& idle : idles_) settlements_->Reject(idle.deferred, failure);
  idles_.clear();
}

}  // namespace ndml
