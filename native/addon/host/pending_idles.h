/** The promises of `idle` and `endProfile`, which wait until the GPU has finished all work so far. Runs no script. */
#pragma once

#include <napi.h>

#include <cstdint>
#include <deque>
#include <memory>

#include "addon/environment/settlements.h"
#include "gpu/record/timestamps.h"

namespace ndml {

class PendingIdles {
 public:
  PendingIdles(Napi::Env env, Settlements* settlements) : env_(env), settlements_(settlements) {}
  PendingIdles(const PendingIdles&) = delete;
  PendingIdles& operator=(const PendingIdles&) = delete;

  /** The promise resolves with the profile's times (NativeGpuTimes of binding.d.ts), or with undefined if it is null. */
  void Add(const Napi::Promise::Deferred& deferred, uint64_t fence_value, std::shared_ptr<const Profile> profile);
  /** Resolves the promises up to this fence value. All batches up to it must be retired, which completes the profiles. */
  void Resolve(uint64_t finished);
  void RejectAll(const Failure& failure);
  void Clear() { idles_.clear(); }
  bool IsEmpty() const { return idles_.empty(); }

 private:
  struct Idle {
    Napi::Promise::Deferred deferred;
    uint64_t fence_value;
    std::shared_ptr<const Profile> profile;
  };

  void Resolve(const Idle& idle);

  Napi::Env env_;
  Settlements* settlements_;
  /** In the order of their fence values. */
  std::deque<Idle> idles_;
};

}  // namespace ndml
