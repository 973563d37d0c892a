/** A copy from a readback ring, which the waiter makes, or the JavaScript thread. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/readback_ring.h"

namespace ndml {

/** Where the bytes of a read go: to memory that stays where it is, or to what only the JavaScript thread can look up. */
struct ReadTarget {
  uint8_t* memory = nullptr;
  /** The number of the read if `memory` is null. */
  uint64_t read = 0;
};

/** A copy from a part of a ring, which the GPU has written, to its target. */
struct ReadbackCopy {
  std::shared_ptr<ReadbackRing> ring;
  ReadbackRing::Part part;
  ReadTarget target;
  /** The first byte of the target. */
  size_t offset = 0;
  size_t size = 0;
};

}  // namespace ndml
