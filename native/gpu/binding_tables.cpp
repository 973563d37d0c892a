#include "gpu/binding_tables.h"

#include <algorithm>
#include <utility>

#include "gpu/failure.h"

namespace ndml {

namespace {

constexpr size_t kTables = 1024;
/** With more of them in use, looking for a free one would take long. */
constexpr size_t kMaxUsedTables = kTables / 2;

bool SameRanges(const std::vector<DML_BUFFER_BINDING>& a, const std::vector<DML_BUFFER_BINDING>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const DML_BUFFER_BINDING& x, const DML_BUFFER_BINDING& y) {
                      return x.Buffer == y.Buffer && x.Offset == y.Offset && x.SizeInBytes == y.SizeInBytes;
                    });
}

size_t Hash(IDMLDispatchable* dispatchable, const std::vector<DML_BUFFER_BINDING>& ranges) {
  uint64_t hash = reinterpret_cast<uintptr_t>(dispatchable);
  const auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15; };
  for (const DML_BUFFER_BINDING& range : ranges) {
    mix(reinterpret_cast<uintptr_t>(range.Buffer));
    mix(range.Offset);
  }
  // The upper half depends on all of the bits.
  return static_cast<size_t>(hash >> 32);
}

/** An unneeded binding removes the device, just like a missing one. So only existing resources are bound. */
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
  heaps_.clear();
  bound_heap_ = nullptr;
  FreeTables();
}

void BindingTables::Reserve(UINT descriptor_count) {
  if (heaps_.empty() || heaps_.back().capacity - heaps_.back().used < descriptor_count) {
    heaps_.push_back(heap_pool_.Acquire(device_, descriptor_count));
  }
}

IDMLBindingTable* BindingTables::Bind(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable,
                                      UINT descriptor_count, const DispatchBindings& bindings) {
  if (BoundTable& found = Find(dispatchable, bindings.ranges); found.dispatchable != nullptr) return found.table.Get();
  const DML_BINDING_TABLE_DESC desc = TakeDescriptors(list, dispatchable, descriptor_count);
  if (used_tables_.size() == kMaxUsedTables) FreeTables();
  // Only now: what comes before may have freed the entries.
  BoundTable& bound = Find(dispatchable, bindings.ranges);
  used_tables_.push_back(&bound);
  if (bound.table) {
    ThrowIfFailed(bound.table->Reset(&desc), "IDMLBindingTable::Reset");
  } else {
    ThrowIfFailed(dml_->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, bound.table.Put()),
                  "IDMLDevice::CreateBindingTable");
  }
  Fill(bound.table.Get(), bindings);
  bound.ranges = bindings.ranges;
  bound.dispatchable = dispatchable;
  return bound.table.Get();
}

BindingTables::BoundTable& BindingTables::Find(IDMLDispatchable* dispatchable,
                                               const std::vector<DML_BUFFER_BINDING>& ranges) {
  for (size_t index = Hash(dispatchable, ranges);; ++index) {
    BoundTable& bound = tables_[index % tables_.size()];
    if (bound.dispatchable == nullptr) return bound;
    if (bound.dispatchable == dispatchable && SameRanges(bound.ranges, ranges)) return bound;
  }
}

std::vector<DescriptorHeap> BindingTables::TakeHeaps() {
  FreeTables();
  return std::exchange(heaps_, {});
}

void BindingTables::Release(std::vector<DescriptorHeap> heaps) {
  for (DescriptorHeap& heap : heaps) heap_pool_.Release(std::move(heap));
}

DML_BINDING_TABLE_DESC BindingTables::TakeDescriptors(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable,
                                                      UINT count) {
  Reserve(count);
  DescriptorHeap& heap = heaps_.back();
  if (bound_heap_ != heap.heap.Get()) {
    bound_heap_ = heap.heap.Get();
    list->SetDescriptorHeaps(1, &bound_heap_);
    // The list can no longer use descriptors of the previous heap.
    FreeTables();
  }
  const UINT start = heap.used * descriptor_size_;
  DML_BINDING_TABLE_DESC desc = {};
  desc.Dispatchable = dispatchable;
  desc.CPUDescriptorHandle.ptr = heap.cpu.ptr + start;
  desc.GPUDescriptorHandle.ptr = heap.gpu.ptr + start;
  desc.SizeInDescriptors = count;
  heap.used += count;
  return desc;
}

void BindingTables::FreeTables() {
  for (BoundTable* const bound : used_tables_) {
    bound->dispatchable = nullptr;
    // An empty table lets go of its operator, and is cheaper than a new one.
    if (bound->table && FAILED(bound->table->Reset(nullptr))) bound->table.Reset();
  }
  used_tables_.clear();
}

}  // namespace ndml
