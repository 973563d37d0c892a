/**
 * A buffer in default-heap memory together with what the recorder knows of its state in the batch being recorded.
 * Held by shared_ptr: by its JavaScript object, and by every batch that uses it until the GPU is done.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "platform/com_ptr.h"

namespace ndml {

/** Counted per environment; shared because objects may outlive it. */
struct LiveCounters {
  std::atomic<int64_t> devices{0};
  std::atomic<int64_t> buffers{0};
  std::atomic<int64_t> operators{0};
  std::atomic<int64_t> pooled_bytes{0};
};

struct Resource {
  ComPtr<ID3D12Resource> d3d12;
  /** Size of the allocation, a multiple of 4. */
  uint64_t capacity = 0;
  /** True until its first use where new memory may hold old bytes. */
  bool needs_zero_fill = false;

  // Valid while `batch` is the id of the batch being recorded: between batches a buffer decays to COMMON.
  uint64_t batch = 0;
  D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
  /** Barrier epochs in which it was last read or written as an unordered access view. */
  uint64_t read_epoch = 0;
  uint64_t write_epoch = 0;
  /** Bytes copied into it since it entered COPY_DEST. */
  uint64_t copied_begin = 0;
  uint64_t copied_end = 0;
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
