#include "pools.h"

#include <algorithm>

#include "errors.h"

namespace ndml {

namespace {

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;
constexpr UINT kDescriptorsPerHeap = 4096;
constexpr size_t kIdleHeaps = 4;
constexpr size_t kIdleContexts = 16;

/** Few distinct sizes, so that what comes back fits the next request: powers of two, then whole MiB. */
uint64_t SizeClass(uint64_t size) {
  uint64_t rounded = 64 * kKiB;
  while (rounded < size && rounded < 4 * kMiB) rounded *= 2;
  return rounded >= size ? rounded : RoundUp(size, kMiB);
}

/** The smallest idle entry that holds `size` and wastes at most half of itself; `count` when there is none. */
template <typename Entries, typename SizeOf>
size_t BestFit(const Entries& entries, uint64_t size, SizeOf size_of) {
  size_t best = entries.size();
  for (size_t i = 0; i < entries.size(); ++i) {
    const uint64_t candidate = size_of(entries[i]);
    if (candidate < size || candidate > 2 * size) continue;
    if (best == entries.size() || candidate < size_of(entries[best])) best = i;
  }
  return best;
}

}  // namespace

StagingChunk StagingPool::Acquire(ID3D12Device* device, uint64_t size) {
  const uint64_t rounded = SizeClass(size);
  const size_t index = BestFit(idle_, rounded, [](const StagingChunk& chunk) { return chunk.size; });
  if (index < idle_.size()) {
    StagingChunk chunk = std::move(idle_[index]);
    idle_.erase(idle_.begin() + static_cast<ptrdiff_t>(index));
    idle_bytes_ -= chunk.size;
    counters_->pooled_bytes -= static_cast<int64_t>(chunk.size);
    return chunk;
  }
  const bool upload = heap_ == D3D12_HEAP_TYPE_UPLOAD;
  StagingChunk chunk;
  chunk.size = rounded;
  chunk.resource = CreateCommittedBuffer(
      device, heap_, rounded, upload ? D3D12_RESOURCE_STATE_GENERIC_READ : D3D12_RESOURCE_STATE_COPY_DEST);
  const D3D12_RANGE nothing = {0, 0};
  void* data = nullptr;
  ThrowIfFailed(chunk.resource->Map(0, upload ? &nothing : nullptr, &data), "ID3D12Resource::Map");
  chunk.data = static_cast<uint8_t*>(data);
  return chunk;
}

void StagingPool::Release(StagingChunk chunk) {
  if (!chunk.resource || chunk.size > idle_cap_) return;
  while (idle_bytes_ + chunk.size > idle_cap_) {
    idle_bytes_ -= idle_.front().size;
    counters_->pooled_bytes -= static_cast<int64_t>(idle_.front().size);
    idle_.erase(idle_.begin());
  }
  idle_bytes_ += chunk.size;
  counters_->pooled_bytes += static_cast<int64_t>(chunk.size);
  idle_.push_back(std::move(chunk));
}

void StagingPool::Clear() {
  counters_->pooled_bytes -= static_cast<int64_t>(idle_bytes_);
  idle_bytes_ = 0;
  idle_.clear();
}

std::shared_ptr<Resource> TemporaryPool::Acquire(ID3D12Device* device, uint64_t size) {
  const uint64_t rounded = SizeClass(size);
  const size_t index = BestFit(idle_, rounded, [](const auto& resource) { return resource->capacity; });
  if (index == idle_.size()) return CreateResource(device, rounded);
  std::shared_ptr<Resource> resource = std::move(idle_[index]);
  idle_.erase(idle_.begin() + static_cast<ptrdiff_t>(index));
  idle_bytes_ -= resource->capacity;
  counters_->pooled_bytes -= static_cast<int64_t>(resource->capacity);
  return resource;
}

void TemporaryPool::Release(std::shared_ptr<Resource> resource) {
  if (resource->capacity > idle_cap_) return;
  while (idle_bytes_ + resource->capacity > idle_cap_) {
    idle_bytes_ -= idle_.front()->capacity;
    counters_->pooled_bytes -= static_cast<int64_t>(idle_.front()->capacity);
    idle_.erase(idle_.begin());
  }
  idle_bytes_ += resource->capacity;
  counters_->pooled_bytes += static_cast<int64_t>(resource->capacity);
  idle_.push_back(std::move(resource));
}

void TemporaryPool::Clear() {
  counters_->pooled_bytes -= static_cast<int64_t>(idle_bytes_);
  idle_bytes_ = 0;
  idle_.clear();
}

DescriptorHeap DescriptorHeapPool::Acquire(ID3D12Device* device, UINT count) {
  for (size_t i = 0; i < idle_.size(); ++i) {
    if (idle_[i].capacity < count) continue;
    DescriptorHeap heap = std::move(idle_[i]);
    idle_.erase(idle_.begin() + static_cast<ptrdiff_t>(i));
    heap.used = 0;
    return heap;
  }
  DescriptorHeap heap;
  heap.capacity = std::max(count, kDescriptorsPerHeap);
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

void DescriptorHeapPool::Release(DescriptorHeap heap) {
  if (heap.capacity == kDescriptorsPerHeap && idle_.size() < kIdleHeaps) idle_.push_back(std::move(heap));
}

CommandContext CommandContextPool::Acquire(ID3D12Device* device) {
  CommandContext context;
  if (!idle_.empty()) {
    context = std::move(idle_.back());
    idle_.pop_back();
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
  if (idle_.size() < kIdleContexts) idle_.push_back(std::move(context));
}

}  // namespace ndml
