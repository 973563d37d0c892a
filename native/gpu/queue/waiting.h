/**
 * Code in native/gpu never waits for the GPU, because the GPU may itself be waiting until the caller copies what was read.
 * Instead, a `Try` method that cannot continue returns the fence value that the GPU must pass first. The caller waits some
 * milliseconds for it, copies what was read, and calls the method again with the same arguments, until it returns nothing.
 */
#pragma once

#include <cstdint>
#include <optional>

#include "platform/compat.h"

namespace ndml {

/** The fence value to wait for; empty if the method is done. */
using WaitFor = std::optional<uint64_t>;

/** How long the caller has waited in vain for one fence value. After some time, a method continues without it, or throws. */
class Waited {
 public:
  void Add(uint64_t fence_value, DWORD milliseconds) {
    milliseconds_ = fence_value == fence_value_ ? milliseconds_ + milliseconds : milliseconds;
    fence_value_ = fence_value;
  }
  /** True if the caller has waited for this value for at least that long. */
  bool AtLeast(uint64_t fence_value, DWORD milliseconds) const {
    return fence_value == fence_value_ && milliseconds_ >= milliseconds;
  }

 private:
  uint64_t fence_value_ = 0;
  DWORD milliseconds_ = 0;
};

}  // namespace ndml
