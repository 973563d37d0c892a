#include "addon/environment/settlements.h"

#include <utility>

#include "addon/values/js_error.h"

namespace ndml {

void Settlements::Resolve(const Napi::Promise::Deferred& deferred, Napi::ObjectReference value) {
  waiting_.push_back({deferred, std::move(value), std::nullopt});
}

void Settlements::Reject(const Napi::Promise::Deferred& deferred, const Failure& failure) {
  waiting_.push_back({deferred, {}, failure});
}

void Settlements::Settle(Napi::Env env) {
  while (!waiting_.empty()) {
    // Settling can run a script that calls this function again, so take the promise out first.
    const Settlement next = std::move(waiting_.front());
    waiting_.pop_front();
    const Napi::HandleScope scope(env);
    try {
      if (next.failure) {
        next.deferred.Reject(ToJsError(env, *next.failure).Value());
      } else {
        next.deferred.Resolve(next.value.IsEmpty() ? env.Undefined() : Napi::Value(next.value.Value()));
      }
    } catch (const Napi::Error&) {
      // This fails while the environment is torn down, or if a script throws that settling runs, such as a getter `then`.
    }
  }
}

}  // namespace ndml
