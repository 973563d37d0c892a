#include "gpu/pools.h"

#include <algorithm>
#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;
/** Larger heaps are not kept. */
constexpr UINT kMaxIdleDescriptors = 64 * 1024;
constexpr size_t kMaxIdleHeaps = 4;
constexpr size_t kMaxIdleContexts = 16;
/** Reserves that trimming keeps, so that small work needs no allocations after a pause. */
constexpr uint64_t kReservedUploadBytes = 2 * kMiB;
constexpr size_t kReservedContexts = 2;

/** Removes entry `index` from a pool and returns it. */
template <typename Entry>
Entry TakeOut(std::vector<Entry>& idle, size_t index) {
  Entry entry = std::move(idle[index]);
  idle.erase(idle.begin() + static_cast<ptrdiff_t>(index));
  return entry;
}

/** Frees the entries that were released at or before `before`, oldest first, until `reserve` are left. */
template <typename Entry>
void TrimTo(std::vector<Entry>& idle, size_t reserve, Clock::time_point before) {
  size_t old = 0;
  while (idle.size() - old > reserve && idle[old].idle_since <= before) ++old;
  idle.erase(idle.begin(), idle.begin() + static_cast<ptrdiff_t>(old));
}

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
  // Best fit: the smallest chunk that is large enough, and at most twice the size class.
  size_t best = idle_.size();
  for (size_t i = 0; i < idle_.size(); ++i) {
    if (idle_[i].size < size || idle_[i].size > 2 * SizeClass(size)) continue;
    if (best == idle_.size() || idle_[i].size < idle_[best].size) best = i;
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

DescriptorHeap CreateDescriptorHeap(ID3D12Device* device, UINT count) {
  DescriptorHeap heap;
  heap.capacity = count;
  D3D12_DESCRIPTOR_HEAP_DESC desc = {};
  desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  desc.NumDescriptors = heap.capacity;
  desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
  ThrowIfFailed(device->CreateDescriptorHeap(&desc, Iid<ID3D12DescriptorHeap>::value, heap.heap.Put()),
                "ID3D12Device::CreateDescriptorHeap");
  heap.cpu = CpuHeapStart(heap.heap.Get());
  heap.gpu = GpuHeapStart(heap.heap.Get());
  return heap;
}

DescriptorHeap DescriptorHeapPool::Acquire(ID3D12Device* device, UINT count) {
  // The smallest that is large enough; among these, the one released last.
  size_t best = idle_.size();
  for (size_t i = idle_.size(); i-- > 0;) {
    if (idle_[i].capacity < count) continue;
    if (best == idle_.size() || idle_[i].capacity < idle_[best].capacity) best = i;
  }
  if (best < idle_.size()) {
    DescriptorHeap heap = TakeOut(idle_, best);
    heap.used = 0;
    return heap;
  }
  // With few distinct sizes, a released heap often fits the next request.
  UINT capacity = kDescriptorsPerHeap;
  while (capacity < count && capacity < kMaxIdleDescriptors) capacity *= 2;
  DescriptorHeap heap = CreateDescriptorHeap(device, std::max(count, capacity));
  const uint64_t bytes = uint64_t{heap.capacity} * descriptor_size_;
  heap.counted = CountedBytes(counters_, &LiveCounters::descriptor_bytes, bytes);
  return heap;
}

void DescriptorHeapPool::Release(DescriptorHeap heap) {
  if (heap.capacity > kMaxIdleDescriptors || idle_.size() >= kMaxIdleHeaps) return;
  heap.idle_since = Clock::now();
  idle_.push_back(std::move(heap));
}

uint64_t DescriptorHeapPool::IdleBytes() const {
  uint64_t descriptors = 0;
  for (const DescriptorHeap& heap : idle_) descriptors += heap.capacity;
  return descriptors * descriptor_size_;
}

// Without a reserve: that is the heap which the binding tables use.
void DescriptorHeapPool::Trim(Clock::time_point before) { TrimTo(idle_, 0, before); }

CommandContext CommandContextPool::Acquire(ID3D12Device* device) {
  return prepared_.list ? std::exchange(prepared_, {}) : Open(device);
}

void CommandContextPool::Prepare(ID3D12Device* device) {
  if (prepared_.list) return;
  try {
    prepared_ = Open(device);
  } catch (const Failure&) {
    // Acquire tries again, and reports it.
  }
}

CommandContext CommandContextPool::Open(ID3D12Device* device) {
  CommandContext context;
  if (!idle_.empty()) {
    context = TakeOut(idle_, idle_.size() - 1);
    ThrowIfFailed(context.allocator->Reset(), "ID3D12CommandAllocator::Reset");
    ThrowIfFailed(context.list->Reset(context.allocator.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
    return context;
  }
  ThrowIfFailed(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_COMPUTE, Iid<ID3D12CommandAllocator>::value,
                                               context.allocator.Put()),
                "ID3D12Device::CreateCommandAllocator");
  ThrowIfFailed(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_COMPUTE, context.allocator.Get(), nullptr,
                                          Iid<ID3D12GraphicsCommandList>::value, context.list.Put()),
                "ID3D12Device::CreateCommandList");
  return context;
}

void CommandContextPool::Release(CommandContext context) {
  if (idle_.size() >= kMaxIdleContexts) return;
  context.idle_since = Clock::now();
  idle_.push_back(std::move(context));
}

void CommandContextPool::Trim(Clock::time_point before) { TrimTo(idle_, kReservedContexts, before); }

}  // namespace ndml
