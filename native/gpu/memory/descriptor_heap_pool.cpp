#include "gpu/memory/descriptor_heap_pool.h"

#include <algorithm>
#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

/** Larger heaps are not kept. */
constexpr UINT kMaxIdleDescriptors = 64 * 1024;
constexpr size_t kMaxIdleHeaps = 4;

}  // namespace

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
  // Find the smallest heap that is large enough; among heaps of that size, the one released last.
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

// Keeps no reserve, because BindingTables keeps its current heap.
void DescriptorHeapPool::Trim(Clock::time_point before) { TrimTo(idle_, 0, before); }

}  // namespace ndml
