/**
 * A buffer in default-heap memory. Its JavaScript object holds it by a shared_ptr, and so does every batch that uses it
 * until the GPU is done.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "platform/com_ptr.h"

namespace ndml {

/** Counters of one environment. They are shared, because objects may outlive the environment. */
struct LiveCounters {
  std::atomic<int64_t> devices{0};
  std::atomic<int64_t> buffers{0};
  std::atomic<int64_t> operators{0};
  std::atomic<int64_t> frames{0};
  /** Memory that devices hold for their own use, pooled or in use. */
  std::atomic<int64_t> staging_bytes{0};
  std::atomic<int64_t> temporary_bytes{0};
  std::atomic<int64_t> descriptor_bytes{0};
  /** Staging memory of unfinished uploads and reads. */
  std::atomic<int64_t> bytes_in_flight{0};
};

/** Adds bytes to a counter, and subtracts them when it is destroyed. */
class CountedBytes {
 public:
  using Counter = std::atomic<int64_t> LiveCounters::*;

  CountedBytes() = default;
  CountedBytes(std::shared_ptr<LiveCounters> counters, Counter counter, uint64_t bytes)
      : counters_(std::move(counters)), counter_(counter), bytes_(static_cast<int64_t>(bytes)) {
    (*counters_).*counter_ += bytes_;
  }
  CountedBytes(CountedBytes&& other) noexcept = default;
  CountedBytes& operator=(CountedBytes&& other) noexcept {
    std::swap(counters_, other.counters_);
    std::swap(counter_, other.counter_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  CountedBytes(const CountedBytes&) = delete;
  CountedBytes& operator=(const CountedBytes&) = delete;
  ~CountedBytes() {
    if (counters_) (*counters_).*counter_ -= bytes_;
  }

 private:
  /** Null after a move. */
  std::shared_ptr<LiveCounters> counters_;
  Counter counter_ = nullptr;
  int64_t bytes_ = 0;
};

struct Resource {
  ComPtr<ID3D12Resource> d3d12;
  /** Size of the allocation in bytes, a multiple of 4. */
  uint64_t capacity = 0;
  /** True until the recorder has filled or overwritten all of it; see NewMemoryMayHoldOldBytes. */
  bool needs_zero_fill = false;
  /** Set only for temporary resources: JavaScript objects count their buffers themselves. */
  CountedBytes counted;
};

/** True on Wine. Direct3D 12 zero-fills committed memory; Wine's does not, so there the recorder does it. */
bool NewMemoryMayHoldOldBytes();

/** Throws ERR_OUT_OF_MEMORY if the device cannot allocate `size` bytes. */
std::shared_ptr<Resource> CreateResource(ID3D12Device* device, uint64_t size);

ComPtr<ID3D12Resource> CreateCommittedBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, uint64_t size,
                                             D3D12_RESOURCE_STATES state);

inline uint64_t RoundUp(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace ndml
