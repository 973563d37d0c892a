/**
 * Reads: the GPU copies a buffer, in parts, to a ring of memory (readback_ring.h), from where the waiter or the JavaScript
 * thread copies it to its target.
 */
#pragma once

#include <array>
#include <memory>

#include "gpu/memory/last_use.h"
#include "gpu/work/copies.h"

namespace ndml {

/** Bytes to read from a buffer. */
struct ReadRequest {
  std::shared_ptr<Resource> source;
  uint64_t offset = 0;
  ReadTarget target;
  uint64_t size = 0;
  /** How many of the bytes the submitted parts cover. */
  uint64_t done = 0;
  /** The fence value of the last submitted part. */
  uint64_t fence_value = 0;
};

class Readbacks {
 public:
  Readbacks(ID3D12Device* device, const CommandQueue* queue, Batches* batches, Copies* copies,
            std::shared_ptr<LiveCounters> counters)
      : device_(device), queue_(queue), batches_(batches), copies_(copies), counters_(std::move(counters)) {}

  /**
   * Records and submits a read, in parts if it is large. The waiter copies the bytes to the target, or leaves that to the
   * JavaScript thread. If it throws, the parts submitted before are still copied to the target. Calls `TryOpen` itself.
   */
  WaitFor TryRead(ReadRequest* read, const Waited& waited);
  /** `completed` is the fence value that the GPU has passed. Frees the rings that were unused for a second. */
  void Retire(uint64_t completed, Clock::time_point now);
  /** Frees the rings that were not used since `before`, except for small ones. */
  void Trim(Clock::time_point before);

 private:
  struct Ring {
    /** Null until first used. When it is replaced by a larger one, it lives until its last part is copied. */
    std::shared_ptr<ReadbackRing> memory;
    LastUse use;
  };

  /** Returns the ring for the next part of a read of `size` bytes. Its capacity may be smaller than `part_size`. */
  std::shared_ptr<ReadbackRing> RingFor(const ReadTarget& target, uint64_t size, uint64_t part_size);

  ID3D12Device* device_;
  const CommandQueue* queue_;
  Batches* batches_;
  Copies* copies_;
  std::shared_ptr<LiveCounters> counters_;
  /** Index 0 is copied by the waiter, 1 by the JavaScript thread. A ring for each, as parts must be released in order. */
  std::array<Ring, 2> rings_;
};

}  // namespace ndml
