#include "addon/environment/loop_notifier.h"

#include <utility>

#include "addon/values/js_error.h"

namespace ndml {

void LoopNotifier::Open(Napi::Env env, std::shared_ptr<void> owner, std::function<void()> on_notified) {
  env_ = env;
  on_notified_ = std::move(on_notified);
  auto kept = std::make_unique<std::shared_ptr<void>>(std::move(owner));
  const napi_status status =
      napi_create_threadsafe_function(env, nullptr, nullptr, Napi::String::New(env, "node-directml device"), 0, 1,
                                      kept.get(), OnFinalized, this, OnNotified, &function_);
  if (status != napi_ok) throw Napi::Error::New(env);
  static_cast<void>(kept.release());
  napi_unref_threadsafe_function(env, function_);
}

void LoopNotifier::Close() { napi_release_threadsafe_function(std::exchange(function_, nullptr), napi_tsfn_abort); }

void LoopNotifier::Notify() {
  if (notified_.exchange(true)) return;
  napi_call_threadsafe_function(function_, nullptr, napi_tsfn_nonblocking);
}

void LoopNotifier::KeepLoopAlive(bool wanted) {
  if (wanted == keeps_alive_ || function_ == nullptr) return;
  keeps_alive_ = wanted;
  if (wanted) {
    napi_ref_threadsafe_function(env_, function_);
  } else {
    napi_unref_threadsafe_function(env_, function_);
  }
}

void LoopNotifier::OnNotified(napi_env env, napi_value, void* context, void*) {
  // Node-API passes a null environment while the function is being closed.
  if (env == nullptr) return;
  auto* const notifier = static_cast<LoopNotifier*>(context);
  notifier->notified_ = false;
  const Napi::HandleScope scope(env);
  if (CanRunJs(env)) notifier->on_notified_();
}

void LoopNotifier::OnFinalized(napi_env, void* data, void*) { delete static_cast<std::shared_ptr<void>*>(data); }

}  // namespace ndml
