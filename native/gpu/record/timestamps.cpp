#include "gpu/record/timestamps.h"

#include <algorithm>
#include <utility>

#include "gpu/memory/recorder_limits.h"
#include "gpu/memory/resource.h"
#include "platform/failure.h"

namespace ndml {

namespace {

/** The results take 64 KiB, the least that Direct3D allocates for a buffer. */
constexpr UINT kStampsPerBlock = 8192;
/** One stamp at each end of the list, and two for each dispatch if other commands lie between the dispatches. */
constexpr UINT kMaxStampsPerList = 2 + 2 * kMaxDispatchesPerBatch;

std::shared_ptr<StampBlock> CreateBlock(ID3D12Device* device, const std::shared_ptr<LiveCounters>& counters) {
  auto block = std::make_shared<StampBlock>();
  D3D12_QUERY_HEAP_DESC desc = {};
  desc.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP;
  desc.Count = kStampsPerBlock;
  ThrowIfFailed(device->CreateQueryHeap(&desc, Iid<ID3D12QueryHeap>::value, block->heap.Put()),
                "ID3D12Device::CreateQueryHeap");
  constexpr uint64_t bytes = uint64_t{kStampsPerBlock} * sizeof(uint64_t);
  block->readback = CreateCommittedBuffer(device, D3D12_HEAP_TYPE_READBACK, bytes, D3D12_RESOURCE_STATE_COPY_DEST);
  void* data = nullptr;
  ThrowIfFailed(block->readback->Map(0, nullptr, &data), "ID3D12Resource::Map");
  block->ticks = static_cast<const uint64_t*>(data);
  block->counted = CountedBytes(counters, &LiveCounters::staging_bytes, bytes);
  block->in_flight = CountedBytes(counters, &LiveCounters::bytes_in_flight, bytes);
  return block;
}

}  // namespace

Profile::Profile(ComPtr<ID3D12Device> device, uint64_t frequency, std::shared_ptr<LiveCounters> counters)
    : device_(std::move(device)), frequency_(frequency), counters_(std::move(counters)) {
  blocks_.push_back(CreateBlock(device_.Get(), counters_));
}

size_t Profile::AddDispatch() {
  dispatch_ticks_.push_back(0);
  return dispatch_ticks_.size() - 1;
}

const std::shared_ptr<StampBlock>& Profile::BlockForList() {
  if (blocks_.back()->used + kMaxStampsPerList <= kStampsPerBlock) return blocks_.back();
  const auto unused =
      std::find_if(blocks_.begin(), blocks_.end(), [](const auto& block) { return block.use_count() == 1; });
  if (unused == blocks_.end()) {
    blocks_.push_back(CreateBlock(device_.Get(), counters_));
  } else {
    (*unused)->used = 0;
    std::swap(*unused, blocks_.back());
  }
  return blocks_.back();
}

ListStamps::ListStamps(std::shared_ptr<Profile> profile, ID3D12GraphicsCommandList* list)
    : profile_(std::move(profile)), block_(profile_->BlockForList()), first_(block_->used) {
  Stamp(list);
}

void ListStamps::BeginDispatch(ID3D12GraphicsCommandList* list) {
  // If nothing was recorded after the last stamp, that stamp also marks the beginning of this dispatch.
  if (!is_last_command_) Stamp(list);
}

void ListStamps::EndDispatch(ID3D12GraphicsCommandList* list, size_t index) {
  Stamp(list);
  dispatches_.push_back({index, last_});
}

void ListStamps::End(ID3D12GraphicsCommandList* list) {
  if (!is_last_command_) Stamp(list);
  list->ResolveQueryData(block_->heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, first_, last_ - first_ + 1,
                         block_->readback.Get(), uint64_t{first_} * sizeof(uint64_t));
}

void ListStamps::Collect() const {
  profile_->total_ticks_ += TicksBetween(first_, last_);
  for (const Dispatch& dispatch : dispatches_) {
    profile_->dispatch_ticks_[dispatch.index] = TicksBetween(dispatch.end - 1, dispatch.end);
  }
}

void ListStamps::Stamp(ID3D12GraphicsCommandList* list) {
  last_ = block_->used++;
  list->EndQuery(block_->heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, last_);
  is_last_command_ = true;
}

uint64_t ListStamps::TicksBetween(UINT begin, UINT end) const {
  // Some drivers let the clock go back when the GPU changes its power state.
  const uint64_t began = block_->ticks[begin];
  const uint64_t ended = block_->ticks[end];
  return ended > began ? ended - began : 0;
}

}  // namespace ndml
