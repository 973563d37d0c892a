/** Upload memory: mapped chunks that the CPU writes and the GPU copies from (pool.h). */
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/memory/pool.h"
#include "gpu/memory/resource.h"

namespace ndml {

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

}  // namespace ndml
