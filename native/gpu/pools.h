/**
 * Pools of upload memory, descriptor heaps, and command lists with their allocators. A batch acquires from them, and
 * releases when the GPU has finished it. A pool keeps released entries up to a limit, and frees those unused for a
 * second, except for a small reserve. Used on the JavaScript thread only.
 */
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/resource.h"

namespace ndml {

using Clock = std::chrono::steady_clock;

/** How long a pool keeps an unused entry. */
constexpr Clock::duration kIdleTime = std::chrono::seconds(1);

/**
 * Rounds a size in bytes up to a power of two from 64 KiB to 4 MiB, or else to whole MiB. With few distinct sizes, a
 * released chunk often fits the next request.
 */
uint64_t SizeClass(uint64_t size);

struct UploadChunk {
  ComPtr<ID3D12Resource> resource;
  /** The mapped memory; stays mapped while the chunk lives. */
  uint8_t* data = nullptr;
  uint64_t size = 0;
  CountedBytes staging;
  /** Set while the chunk is acquired. */
  CountedBytes in_flight;
  /** When it was released to the pool. */
  Clock::time_point idle_since;
};

/** Throws ERR_OUT_OF_MEMORY. */
UploadChunk CreateUploadChunk(ID3D12Device* device, uint64_t size, const std::shared_ptr<LiveCounters>& counters);

class UploadPool {
 public:
  UploadPool(uint64_t max_idle_bytes, std::shared_ptr<LiveCounters> counters)
      : max_idle_bytes_(max_idle_bytes), counters_(std::move(counters)) {}
  UploadPool(const UploadPool&) = delete;
  UploadPool& operator=(const UploadPool&) = delete;

  /** Takes a chunk of at least `size` bytes from the pool; nullopt if none fits. */
  std::optional<UploadChunk> Reuse(uint64_t size);
  UploadChunk Create(ID3D12Device* device, uint64_t size);
  void Release(UploadChunk chunk);
  /** Frees the oldest idle chunks until at most `bytes` remain. */
  void ShrinkTo(uint64_t bytes);
  /** Frees the chunks unused since `before`, except for a reserve. */
  void Trim(Clock::time_point before);

 private:
  UploadChunk Lend(UploadChunk chunk);

  uint64_t max_idle_bytes_;
  std::shared_ptr<LiveCounters> counters_;
  uint64_t idle_bytes_ = 0;
  /** In the order of release. */
  std::vector<UploadChunk> idle_;
};

/** The usual capacity of a descriptor heap. */
constexpr UINT kDescriptorsPerHeap = 4096;

/** A shader-visible descriptor heap that a batch fills from the front. */
struct DescriptorHeap {
  ComPtr<ID3D12DescriptorHeap> heap;
  D3D12_CPU_DESCRIPTOR_HANDLE cpu = {};
  D3D12_GPU_DESCRIPTOR_HANDLE gpu = {};
  UINT capacity = 0;
  UINT used = 0;
  CountedBytes counted;
  Clock::time_point idle_since;
};

DescriptorHeap CreateDescriptorHeap(ID3D12Device* device, UINT count);

class DescriptorHeapPool {
 public:
  /** `descriptor_size` is in bytes. */
  DescriptorHeapPool(UINT descriptor_size, std::shared_ptr<LiveCounters> counters)
      : descriptor_size_(descriptor_size), counters_(std::move(counters)) {}

  DescriptorHeap Acquire(ID3D12Device* device, UINT count);
  void Release(DescriptorHeap heap);
  void Trim(Clock::time_point before);
  uint64_t IdleBytes() const;

 private:
  UINT descriptor_size_;
  std::shared_ptr<LiveCounters> counters_;
  std::vector<DescriptorHeap> idle_;
};

struct CommandContext {
  ComPtr<ID3D12CommandAllocator> allocator;
  /** Acquire returns it open for recording. */
  ComPtr<ID3D12GraphicsCommandList> list;
  Clock::time_point idle_since;
};

class CommandContextPool {
 public:
  CommandContext Acquire(ID3D12Device* device);
  /** Makes the next Acquire faster. */
  void Prepare(ID3D12Device* device);
  void Release(CommandContext context);
  void Trim(Clock::time_point before);

 private:
  CommandContext Open(ID3D12Device* device);

  /** Open for recording. Has no list until Prepare is called. */
  CommandContext prepared_;
  std::vector<CommandContext> idle_;
};

}  // namespace ndml
