/**
 * A buffer in default-heap memory, or a texture that other code has shared. Its JavaScript object holds it by a
 * shared_ptr, and so does every batch that uses it until the GPU is done.
 */
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/memory/counters.h"
#include "platform/com_ptr.h"

namespace ndml {

struct Resource {
  ComPtr<ID3D12Resource> d3d12;
  /** Not 0. Never reused for another resource of the process, unlike an address. */
  uint64_t id = 0;
  /** Size of the allocation in bytes, a multiple of 4. */
  uint64_t capacity = 0;
  /** How many bytes from the start are filled or overwritten. Below `capacity` in memory that may hold old bytes. */
  uint64_t defined_bytes = 0;
  /** A handle by which other code shares the memory. Null if there is none. */
  UniqueHandle shared_handle;
  /** How many lists of commands hold this resource. */
  long lists = 0;
  /** True if other code, or a debugger, may see the resource, which then never becomes another buffer. */
  bool is_visible_outside = true;
  /** Set for temporary, persistent and spare resources: JavaScript objects count their buffers themselves. */
  CountedBytes counted;
  /** Counts the memory from its allocation until it is freed. Not set for memory of other code. */
  CountedBytes allocated;
};

/** True on Wine. Direct3D 12 zero-fills committed memory; Wine's does not, so there the recorder does it. */
bool NewMemoryMayHoldOldBytes();

/** Throws ERR_OUT_OF_MEMORY if the device cannot allocate `size` bytes, or if its limit leaves less. */
std::shared_ptr<Resource> CreateResource(ID3D12Device* device, uint64_t size,
                                         const std::shared_ptr<LiveCounters>& counters,
                                         D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE);

/** Holds a resource whose bytes are all defined. `capacity` is the size of a buffer in bytes; 0 for a texture. */
std::shared_ptr<Resource> HoldResource(ComPtr<ID3D12Resource> resource, uint64_t capacity);

ComPtr<ID3D12Resource> CreateCommittedBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, uint64_t size,
                                             D3D12_RESOURCE_STATES state,
                                             D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE);

inline uint64_t RoundUp(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace ndml
