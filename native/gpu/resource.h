/**
 * A buffer in default-heap memory. Held by shared_ptr: by its JavaScript object, and by every batch that uses it until the
 * GPU is done.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "platform/com_ptr.h"

namespace ndml {

/** Counted per environment; shared because objects may outlive it. */
struct LiveCounters {
  std::atomic<int64_t> devices{0};
  std::atomic<int64_t> buffers{0};
  std::atomic<int64_t> operators{0};
  /** What devices hold for their own use, whether it is in use or waits for it. */
  std::atomic<int64_t> staging_bytes{0};
  std::atomic<int64_t> temporary_bytes{0};
  std::atomic<int64_t> descriptor_bytes{0};
  /** Staging memory that unfinished uploads and reads use. */
  std::atomic<int64_t> bytes_in_flight{0};
};

/** Bytes that one of the counters has for as long as this lives. */
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
  /** Null once moved from. */
  std::shared_ptr<LiveCounters> counters_;
  Counter counter_ = nullptr;
  int64_t bytes_ = 0;
};

struct Resource {
  ComPtr<ID3D12Resource> d3d12;
  /** Size of the allocation, a multiple of 4. */
  uint64_t capacity = 0;
  /** True until its first use where new memory may hold old bytes. */
  bool needs_zero_fill = false;
  /** Set for temporary resources; buffers are counted by their JavaScript objects. */
  CountedBytes counted;
};

/**
 * Direct3D 12 hands out committed memory filled with zeros. Wine's does not, so there the recorder does it.
 */
bool NewMemoryMayHoldOldBytes();

/** Throws ERR_OUT_OF_MEMORY when the device cannot give so much. */
std::shared_ptr<Resource> CreateResource(ID3D12Device* device, uint64_t size);

ComPtr<ID3D12Resource> CreateCommittedBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, uint64_t size,
                                             D3D12_RESOURCE_STATES state);

inline uint64_t RoundUp(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace ndml
