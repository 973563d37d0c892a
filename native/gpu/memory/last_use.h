/** Tracks when a resource that is kept for later work was last needed, so that it can be freed after a second. */
#pragma once

#include <cstdint>

#include "gpu/memory/pool.h"

namespace ndml {

/** Callers report only uses of more than half of the capacity, so a resource that is too large counts as unused. */
class LastUse {
 public:
  void Use(uint64_t fence_value) {
    fence_value_ = fence_value;
    time_ = Clock::now();
  }
  /** Call it from time to time. `completed` is the fence value that the GPU has passed. */
  void Update(uint64_t completed, Clock::time_point now) {
    if (fence_value_ == 0) return;
    time_ = now;
    if (fence_value_ <= completed) fence_value_ = 0;
  }
  bool IsOver(Clock::time_point before) const { return time_ <= before; }

 private:
  /** Fence value of the batch that used it; 0 once that batch is known to be finished. */
  uint64_t fence_value_ = 0;
  /** When the batch was last seen unfinished, or first seen finished. */
  Clock::time_point time_;
};

}  // namespace ndml
