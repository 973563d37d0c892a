/**
 * A ring of readback memory that the parts of reads share: the GPU writes a part, a thread copies it to its target, and
 * then another part may use the same memory. The GPU itself waits for free memory
 * (ID3D12CommandQueue::Wait). Reads of any size and number therefore need no more memory than the ring, stay in command
 * order, and block no thread.
 *
 * Call `Next` and `Take` on the JavaScript thread, `Release` always on the same thread. Parts must be released in the
 * order in which they were taken.
 */
#pragma once

#include <atomic>
#include <memory>

#include "gpu/memory/resource.h"

namespace ndml {

class ReadbackRing {
 public:
  /**
   * `end` and `released_before` are positions that count all bytes since the beginning, across the laps of the ring.
   */
  struct Part {
    /** Offset of the part in the ring's memory, in bytes. */
    uint64_t offset = 0;
    /** The position at which the part ends. */
    uint64_t end = 0;
    /** Everything before this position must be released before the GPU writes the part. */
    uint64_t released_before = 0;
  };

  /** Throws ERR_OUT_OF_MEMORY. */
  ReadbackRing(ID3D12Device* device, uint64_t capacity, std::shared_ptr<LiveCounters> counters);
  ~ReadbackRing();
  ReadbackRing(const ReadbackRing&) = delete;
  ReadbackRing& operator=(const ReadbackRing&) = delete;

  uint64_t capacity() const { return capacity_; }
  ID3D12Resource* resource() const { return resource_.Get(); }
  const uint8_t* data() const { return data_; }
  bool IsIdle() const { return released_ == end_; }

  /** Returns the next part of `size` bytes without taking it. `size` is at most the capacity. */
  Part Next(uint64_t size) const;
  bool HasRoom(uint64_t size) const { return Next(size).released_before <= released_; }
  void Take(const Part& part);
  /** Makes the queue wait until the part's memory is free. */
  void WaitOnQueue(ID3D12CommandQueue* queue, const Part& part) const;
  void Release(const Part& part);

 private:
  void CountInFlight(int64_t change) { counters_->Add(&LiveCounters::bytes_in_flight, change); }

  const uint64_t capacity_;
  std::shared_ptr<LiveCounters> counters_;
  ComPtr<ID3D12Resource> resource_;
  const uint8_t* data_ = nullptr;
  CountedBytes counted_;
  /** Its value is the position up to which parts were released. */
  ComPtr<ID3D12Fence> fence_;
  /** The position at which the latest part ends. */
  uint64_t end_ = 0;
  std::atomic<uint64_t> released_{0};
};

}  // namespace ndml
