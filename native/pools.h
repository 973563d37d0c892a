/**
 * What batches borrow and give back when the GPU has finished with them: staging memory, temporary resources,
 * descriptor heaps, and command lists with their allocators. A pool keeps what comes back up to a cap and frees
 * the rest. Used on the JavaScript thread only.
 */
#pragma once

#include <memory>
#include <vector>

#include "resource.h"

namespace ndml {

struct StagingChunk {
  ComPtr<ID3D12Resource> resource;
  /** Mapped for as long as the chunk lives. */
  uint8_t* data = nullptr;
  uint64_t size = 0;
};

/** Upload or readback memory. */
class StagingPool {
 public:
  StagingPool(D3D12_HEAP_TYPE heap, uint64_t idle_cap, std::shared_ptr<LiveCounters> counters)
      : heap_(heap), idle_cap_(idle_cap), counters_(std::move(counters)) {}
  ~StagingPool() { Clear(); }
  StagingPool(const StagingPool&) = delete;
  StagingPool& operator=(const StagingPool&) = delete;

  /** At least `size` bytes. */
  StagingChunk Acquire(ID3D12Device* device, uint64_t size);
  void Release(StagingChunk chunk);
  void Clear();

 private:
  D3D12_HEAP_TYPE heap_;
  uint64_t idle_cap_;
  std::shared_ptr<LiveCounters> counters_;
  uint64_t idle_bytes_ = 0;
  std::vector<StagingChunk> idle_;
};

/** Default-heap scratch memory for operators. */
class TemporaryPool {
 public:
  TemporaryPool(uint64_t idle_cap, std::shared_ptr<LiveCounters> counters)
      : idle_cap_(idle_cap), counters_(std::move(counters)) {}
  ~TemporaryPool() { Clear(); }
  TemporaryPool(const TemporaryPool&) = delete;
  TemporaryPool& operator=(const TemporaryPool&) = delete;

  std::shared_ptr<Resource> Acquire(ID3D12Device* device, uint64_t size);
  void Release(std::shared_ptr<Resource> resource);
  void Clear();

 private:
  uint64_t idle_cap_;
  std::shared_ptr<LiveCounters> counters_;
  uint64_t idle_bytes_ = 0;
  std::vector<std::shared_ptr<Resource>> idle_;
};

/** A shader-visible heap that a batch fills from the front. */
struct DescriptorHeap {
  ComPtr<ID3D12DescriptorHeap> heap;
  D3D12_CPU_DESCRIPTOR_HANDLE cpu = {};
  D3D12_GPU_DESCRIPTOR_HANDLE gpu = {};
  UINT capacity = 0;
  UINT used = 0;
};

class DescriptorHeapPool {
 public:
  DescriptorHeap Acquire(ID3D12Device* device, UINT count);
  void Release(DescriptorHeap heap);
  void Clear() { idle_.clear(); }

 private:
  std::vector<DescriptorHeap> idle_;
};

struct CommandContext {
  ComPtr<ID3D12CommandAllocator> allocator;
  /** Open for recording once acquired. */
  ComPtr<ID3D12GraphicsCommandList> list;
};

class CommandContextPool {
 public:
  CommandContext Acquire(ID3D12Device* device);
  void Release(CommandContext context);
  void Clear() { idle_.clear(); }

 private:
  std::vector<CommandContext> idle_;
};

}  // namespace ndml
