/**
 * Readback memory that parts of reads take in turn: the GPU writes a part, the waiter's thread copies it to where it
 * belongs, and then another may take its place. The GPU itself waits for that (ID3D12CommandQueue::Wait), so that
 * reads of any size and number need no more memory than this, keep their place in the order of commands, and block
 * no thread.
 *
 * `Next` and `Take` belong to the JavaScript thread, `Release` to the waiter's. Parts are released in the order in
 * which they were taken.
 */
#pragma once

#include <atomic>
#include <memory>

#include "gpu/resource.h"

namespace ndml {

class ReadbackRing {
 public:
  /** Places count all bytes since the beginning, across the laps of the ring. */
  struct Part {
    /** In the ring's memory. */
    uint64_t offset = 0;
    /** Where it ends. */
    uint64_t end = 0;
    /** Everything before this place must have been released before the GPU writes the part. */
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

  /** What taking the next `size` bytes would give; at most the capacity. */
  Part Next(uint64_t size) const;
  bool HasRoom(uint64_t size) const { return Next(size).released_before <= released_; }
  void Take(const Part& part);
  /** Has the queue wait until the part's place is free. */
  void WaitOnQueue(ID3D12CommandQueue* queue, const Part& part) const;
  void Release(const Part& part);

 private:
  const uint64_t capacity_;
  std::shared_ptr<LiveCounters> counters_;
  ComPtr<ID3D12Resource> resource_;
  const uint8_t* data_ = nullptr;
  CountedBytes counted_;
  /** Its value is the place up to which parts were released. */
  ComPtr<ID3D12Fence> fence_;
  /** Where the latest part ends. */
  uint64_t end_ = 0;
  std::atomic<uint64_t> released_{0};
};

}  // namespace ndml
