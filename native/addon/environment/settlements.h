/**
 * Promises that are ready to be settled. Settling a promise can run scripts: promise hooks, and a getter `then` that
 * a script has put on the prototype of a value. Such a script may close the device. So native code collects promises
 * here, and settles them as its last step.
 */
#pragma once

#include <napi.h>

#include <deque>
#include <optional>

#include "platform/failure.h"

namespace ndml {

class Settlements {
 public:
  /** An empty `value` stands for undefined. Runs no script. */
  void Resolve(const Napi::Promise::Deferred& deferred, Napi::ObjectReference value = {});
  /** Runs no script. */
  void Reject(const Napi::Promise::Deferred& deferred, const Failure& failure);
  bool IsEmpty() const { return waiting_.empty(); }
  /** Settles all promises in order, including those that scripts add meanwhile. */
  void Settle(Napi::Env env);
  /** Forgets all promises, because the environment ends. */
  void Clear() { waiting_.clear(); }

 private:
  struct Settlement {
    Napi::Promise::Deferred deferred;
    Napi::ObjectReference value;
    std::optional<Failure> failure;
  };

  std::deque<Settlement> waiting_;
};

}  // namespace ndml
