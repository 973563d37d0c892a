#include "gpu/record/binding_tables.h"

#include <algorithm>
#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

constexpr size_t kTables = 2048;
/** If more entries of the hash table were taken, probing for a free one would take long. */
constexpr size_t kMaxTakenTables = kTables / 2;
/** `Begin` empties a heap with less than 1/16 of it free, if the last list added descriptors and no other list uses it. */
constexpr UINT kNearlyFull = 16;

bool SameRanges(const std::vector<DML_BUFFER_BINDING>& a, const std::vector<DML_BUFFER_BINDING>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const DML_BUFFER_BINDING& x, const DML_BUFFER_BINDING& y) {
                      return x.Offset == y.Offset && x.SizeInBytes == y.SizeInBytes;
                    });
}

size_t Hash(IDMLDispatchable* dispatchable, const DispatchBindings& bindings) {
  uint64_t hash = reinterpret_cast<uintptr_t>(dispatchable);
  const auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15; };
  for (const uint64_t resource : bindings.resources) mix(resource);
  for (const DML_BUFFER_BINDING& range : bindings.ranges) mix(range.Offset);
  // The upper half depends on all bits that were mixed in.
  return static_cast<size_t>(hash >> 32);
}

/** Binds only resources that exist, because an unneeded binding removes the device, just like a missing one. */
void Fill(IDMLBindingTable* table, const DispatchBindings& bindings) {
  if (!bindings.inputs.empty()) {
    table->BindInputs(static_cast<UINT>(bindings.inputs.size()), bindings.inputs.data());
  }
  if (!bindings.outputs.empty()) {
    table->BindOutputs(static_cast<UINT>(bindings.outputs.size()), bindings.outputs.data());
  }
  if (bindings.temporary.Buffer != nullptr) {
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, &bindings.temporary};
    table->BindTemporaryResource(&desc);
  }
  if (bindings.persistent.Buffer != nullptr) {
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, &bindings.persistent};
    table->BindPersistentResource(&desc);
  }
}

}  // namespace

BindingTables::BindingTables(ID3D12Device* device, IDMLDevice* dml, const std::shared_ptr<LiveCounters>& counters)
    : device_(device),
      dml_(dml),
      descriptor_size_(device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV)),
      heap_pool_(descriptor_size_, counters),
      tables_(kTables) {}

void BindingTables::Begin() {
  list_heaps_.clear();
  // Empty the heap now, because a heap that fills up in the middle of a list makes that list use a second one.
  const bool is_nearly_full = heap_ && heap_->capacity - heap_->used < heap_->capacity / kNearlyFull;
  const bool grows = heap_ && heap_->used != std::exchange(used_before_, heap_->used);
  if (!is_nearly_full || !grows || heap_.use_count() > 1) return;
  FreeTables();
  heap_->used = 0;
}

void BindingTables::Reserve(UINT descriptor_count) {
  if (heap_ && heap_->capacity - heap_->used >= descriptor_count) return;
  DropHeap();
  heap_ = std::make_shared<DescriptorHeap>(heap_pool_.Acquire(device_, descriptor_count));
}

IDMLBindingTable* BindingTables::Bind(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable,
                                      UINT descriptor_count, const DispatchBindings& bindings) {
  if (const BoundTable& found = Find(dispatchable, bindings); found.is_taken) {
    SetHeap(list);
    return found.table.Get();
  }
  const DML_BINDING_TABLE_DESC desc = TakeDescriptors(dispatchable, descriptor_count);
  SetHeap(list);
  if (taken_tables_.size() == kMaxTakenTables) FreeTables();
  // Find the entry only now, because the calls above may have freed all entries.
  BoundTable& bound = Find(dispatchable, bindings);
  taken_tables_.push_back(&bound);
  bound.is_taken = true;
  if (bound.table) {
    ThrowIfFailed(bound.table->Reset(&desc), "IDMLBindingTable::Reset");
  } else {
    ThrowIfFailed(dml_->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, bound.table.Put()),
                  "IDMLDevice::CreateBindingTable");
  }
  Fill(bound.table.Get(), bindings);
  bound.ranges = bindings.ranges;
  bound.resources = bindings.resources;
  bound.dispatchable = dispatchable;
  return bound.table.Get();
}

void BindingTables::Forget(IDMLDispatchable* dispatchable) {
  for (BoundTable* const bound : taken_tables_) {
    if (bound->dispatchable == dispatchable) Empty(bound);
  }
}

BindingTables::Heaps BindingTables::TakeHeaps() {
  if (!list_heaps_.empty()) heap_use_ = Clock::now();
  return std::exchange(list_heaps_, {});
}

void BindingTables::Release(Heaps heaps) {
  for (std::shared_ptr<DescriptorHeap>& heap : heaps) {
    // Other lists may still use the heap.
    if (heap != heap_ && heap.use_count() == 1) heap_pool_.Release(std::move(*heap));
  }
}

void BindingTables::DropHeap() {
  FreeTables();
  if (heap_.use_count() == 1) heap_pool_.Release(std::move(*heap_));
  heap_.reset();
}

void BindingTables::Trim(Clock::time_point before) {
  const bool is_idle = heap_.use_count() == 1 && heap_use_ <= before;
  // A heap of the usual size is kept as a reserve.
  if (is_idle && heap_->capacity > kDescriptorsPerHeap) DropHeap();
  heap_pool_.Trim(before);
}

uint64_t BindingTables::IdleBytes() const {
  const bool is_idle = heap_.use_count() == 1;
  return heap_pool_.IdleBytes() + (is_idle ? uint64_t{heap_->capacity} * descriptor_size_ : 0);
}

DML_BINDING_TABLE_DESC BindingTables::TakeDescriptors(IDMLDispatchable* dispatchable, UINT count) {
  Reserve(count);
  const UINT start = heap_->used * descriptor_size_;
  DML_BINDING_TABLE_DESC desc = {};
  desc.Dispatchable = dispatchable;
  desc.CPUDescriptorHandle.ptr = heap_->cpu.ptr + start;
  desc.GPUDescriptorHandle.ptr = heap_->gpu.ptr + start;
  desc.SizeInDescriptors = count;
  heap_->used += count;
  return desc;
}

void BindingTables::SetHeap(ID3D12GraphicsCommandList* list) {
  if (!list_heaps_.empty() && list_heaps_.back() == heap_) return;
  ID3D12DescriptorHeap* const heap = heap_->heap.Get();
  list->SetDescriptorHeaps(1, &heap);
  list_heaps_.push_back(heap_);
}

BindingTables::BoundTable& BindingTables::Find(IDMLDispatchable* dispatchable, const DispatchBindings& bindings) {
  for (size_t index = Hash(dispatchable, bindings);; ++index) {
    BoundTable& bound = tables_[index % kTables];
    if (!bound.is_taken) return bound;
    if (bound.dispatchable == dispatchable && bound.resources == bindings.resources &&
        SameRanges(bound.ranges, bindings.ranges)) {
      return bound;
    }
  }
}

void BindingTables::Empty(BoundTable* bound) {
  bound->dispatchable = nullptr;
  // Resetting a table releases its operator, and is cheaper than creating a new table later.
  if (bound->table && FAILED(bound->table->Reset(nullptr))) bound->table.Reset();
}

void BindingTables::FreeTables() {
  for (BoundTable* const bound : taken_tables_) {
    if (bound->dispatchable != nullptr) Empty(bound);
    bound->is_taken = false;
  }
  taken_tables_.clear();
}

}  // namespace ndml
