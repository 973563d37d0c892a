/** A copy from a readback ring, made by the waiter or by the JavaScript thread. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/memory/readback_ring.h"

namespace ndml {

/** Where the bytes of a read go: to a fixed address, or to an array that only the JavaScript thread can look up. */
struct ReadTarget {
  uint8_t* memory = nullptr;
  /** The number of the read if `memory` is null. */
  uint64_t read = 0;
};

/** A copy from a part of a ring to its target. The GPU must have written the part. */
struct ReadbackCopy {
  std::shared_ptr<ReadbackRing> ring;
  ReadbackRing::Part part;
  ReadTarget target;
  /** Where the bytes go, as an offset into the target. */
  size_t offset = 0;
  size_t size = 0;
};

}  // namespace ndml
