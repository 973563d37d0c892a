#include "gpu/memory/upload_pool.h"

#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;
/** The reserve that trimming keeps, so that small uploads need no allocations after a pause. */
constexpr uint64_t kReservedUploadBytes = 2 * kMiB;

}  // namespace

uint64_t SizeClass(uint64_t size) {
  uint64_t rounded = 64 * kKiB;
  while (rounded < size && rounded < 4 * kMiB) rounded *= 2;
  return rounded >= size ? rounded : RoundUp(size, kMiB);
}

UploadChunk CreateUploadChunk(ID3D12Device* device, uint64_t size, const std::shared_ptr<LiveCounters>& counters) {
  UploadChunk chunk;
  chunk.size = SizeClass(size);
  chunk.resource = CreateCommittedBuffer(device, D3D12_HEAP_TYPE_UPLOAD, chunk.size, D3D12_RESOURCE_STATE_GENERIC_READ);
  const D3D12_RANGE nothing = {0, 0};
  void* data = nullptr;
  ThrowIfFailed(chunk.resource->Map(0, &nothing, &data), "ID3D12Resource::Map");
  chunk.data = static_cast<uint8_t*>(data);
  chunk.staging = CountedBytes(counters, &LiveCounters::staging_bytes, chunk.size);
  return chunk;
}

std::optional<UploadChunk> UploadPool::Reuse(uint64_t size) {
  // Best fit: the smallest chunk that is large enough, and at most twice the size class. Of equal ones, the last that was
  // released: it may still be in the CPU's cache.
  size_t best = idle_.size();
  for (size_t i = 0; i < idle_.size(); ++i) {
    if (idle_[i].size < size || idle_[i].size > 2 * SizeClass(size)) continue;
    if (best == idle_.size() || idle_[i].size <= idle_[best].size) best = i;
  }
  if (best == idle_.size()) return std::nullopt;
  idle_bytes_ -= idle_[best].size;
  return Lend(TakeOut(idle_, best));
}

UploadChunk UploadPool::Create(ID3D12Device* device, uint64_t size) {
  return Lend(CreateUploadChunk(device, size, counters_));
}

UploadChunk UploadPool::Lend(UploadChunk chunk) {
  chunk.in_flight = CountedBytes(counters_, &LiveCounters::bytes_in_flight, chunk.size);
  return chunk;
}

void UploadPool::Release(UploadChunk chunk) {
  chunk.in_flight = {};
  if (!chunk.resource || chunk.size > max_idle_bytes_) return;
  ShrinkTo(max_idle_bytes_ - chunk.size);
  idle_bytes_ += chunk.size;
  chunk.idle_since = Clock::now();
  idle_.push_back(std::move(chunk));
}

void UploadPool::ShrinkTo(uint64_t bytes) {
  while (idle_bytes_ > bytes) {
    idle_bytes_ -= idle_.front().size;
    idle_.erase(idle_.begin());
  }
}

void UploadPool::Trim(Clock::time_point before) {
  size_t old = 0;
  for (; old < idle_.size() && idle_[old].idle_since <= before && idle_bytes_ > kReservedUploadBytes; ++old) {
    idle_bytes_ -= idle_[old].size;
  }
  idle_.erase(idle_.begin(), idle_.begin() + static_cast<ptrdiff_t>(old));
}

}  // namespace ndml
