#include "gpu/memory/readback_ring.h"

#include <algorithm>

#include "platform/failure.h"

namespace ndml {

namespace {

/** Alignment of the parts in bytes: small reads do not share a cache line. */
constexpr uint64_t kPartAlignment = 64;

}  // namespace

ReadbackRing::ReadbackRing(ID3D12Device* device, uint64_t capacity, std::shared_ptr<LiveCounters> counters)
    : capacity_(capacity), counters_(std::move(counters)) {
  resource_ = CreateCommittedBuffer(device, D3D12_HEAP_TYPE_READBACK, capacity, D3D12_RESOURCE_STATE_COPY_DEST);
  void* data = nullptr;
  ThrowIfFailed(resource_->Map(0, nullptr, &data), "ID3D12Resource::Map");
  data_ = static_cast<const uint8_t*>(data);
  ThrowIfFailed(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, Iid<ID3D12Fence>::value, fence_.Put()),
                "ID3D12Device::CreateFence");
  counted_ = CountedBytes(counters_, &LiveCounters::staging_bytes, capacity);
}

ReadbackRing::~ReadbackRing() { CountInFlight(-static_cast<int64_t>(end_ - released_)); }

ReadbackRing::Part ReadbackRing::Next(uint64_t size) const {
  uint64_t begin = RoundUp(end_, kPartAlignment);
  // A part is never split. If it does not fit into the rest of the lap, that rest stays unused.
  if (begin % capacity_ + size > capacity_) begin = RoundUp(begin, capacity_);
  Part part;
  part.offset = begin % capacity_;
  part.end = begin + size;
  // At most the end of the latest part, because the skipped bytes after it are never released.
  if (part.end > capacity_) part.released_before = std::min(part.end - capacity_, end_);
  return part;
}

void ReadbackRing::Take(const Part& part) {
  CountInFlight(static_cast<int64_t>(part.end - end_));
  end_ = part.end;
}

void ReadbackRing::WaitOnQueue(ID3D12CommandQueue* queue, const Part& part) const {
  if (part.released_before <= released_) return;
  ThrowIfFailed(queue->Wait(fence_.Get(), part.released_before), "ID3D12CommandQueue::Wait");
}

void ReadbackRing::Release(const Part& part) {
  CountInFlight(-static_cast<int64_t>(part.end - released_));
  released_ = part.end;
  // Fails only on a removed device, on which nothing waits any more.
  fence_->Signal(part.end);
}

}  // namespace ndml
