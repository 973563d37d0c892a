/** The part of the recorder that speaks to DirectML: bindings, descriptors and unordered-access hazards. */
#include <algorithm>

#include "command_recorder.h"
#include "errors.h"

namespace ndml {

namespace {

constexpr unsigned kDispatchesPerBatch = 256;
/** Beside inputs and outputs: the temporary and the persistent resource. */
constexpr size_t kOwnRanges = 2;

bool SameRanges(const std::vector<DML_BUFFER_BINDING>& a, const std::vector<DML_BUFFER_BINDING>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const DML_BUFFER_BINDING& x, const DML_BUFFER_BINDING& y) {
                      return x.Buffer == y.Buffer && x.Offset == y.Offset && x.SizeInBytes == y.SizeInBytes;
                    });
}

}  // namespace

void CommandRecorder::Reserve(const DML_BINDING_PROPERTIES& properties) {
  Open();
  if (properties.TemporaryResourceSize > 0) Temporary(properties.TemporaryResourceSize);
  if (properties.RequiredDescriptorCount > 0) HeapFor(properties.RequiredDescriptorCount);
}

void CommandRecorder::Dispatch(const std::shared_ptr<CompiledOperator>& op, const std::vector<BufferRange>& inputs,
                               const std::vector<BufferRange>& outputs) {
  Batch& batch = Open();
  uses_.clear();
  // Reserved first: the binding descriptions point into this vector.
  ranges_.clear();
  ranges_.reserve(inputs.size() + outputs.size() + kOwnRanges);
  const auto describe = [this](const std::vector<BufferRange>& bound, bool write,
                               std::vector<DML_BINDING_DESC>& descs) {
    descs.clear();
    for (const BufferRange& range : bound) {
      if (!range.resource) {
        descs.push_back({DML_BINDING_TYPE_NONE, nullptr});
        continue;
      }
      uses_.push_back({range.resource, write});
      ranges_.push_back({range.resource->d3d12.Get(), range.offset, range.size});
      descs.push_back({DML_BINDING_TYPE_BUFFER, &ranges_.back()});
    }
  };
  describe(inputs, false, input_descs_);
  describe(outputs, true, output_descs_);
  batch.kept_alive.push_back(op);
  if (!op->persistent) {
    RecordDispatch(op->dml.Get(), op->properties, nullptr);
    return;
  }
  uses_.push_back({op->persistent, true});
  const DML_BUFFER_BINDING persistent = {op->persistent->d3d12.Get(), 0, op->properties.PersistentResourceSize};
  RecordDispatch(op->dml.Get(), op->properties, &persistent);
}

void CommandRecorder::Initialize(const std::shared_ptr<CompiledOperator>& op,
                                 const ComPtr<IDMLOperatorInitializer>& initializer,
                                 const std::vector<BufferRange>& inputs) {
  Batch& batch = Open();
  uses_.clear();
  ranges_.clear();
  ranges_.reserve(inputs.size() + kOwnRanges);
  bool any = false;
  for (const BufferRange& range : inputs) {
    if (range.resource) {
      any = true;
      uses_.push_back({range.resource, false});
      ranges_.push_back({range.resource->d3d12.Get(), range.offset, range.size});
    } else {
      ranges_.push_back({nullptr, 0, 0});
    }
  }
  // An initializer has one input per operator, an array, and one output per operator: its persistent resource.
  const DML_BUFFER_ARRAY_BINDING array = {static_cast<UINT>(ranges_.size()), ranges_.data()};
  // Where there is nothing to bind nothing may be bound: DirectML looks for an array behind a NONE and crashes.
  DML_BUFFER_BINDING persistent = {};
  input_descs_.clear();
  if (any) input_descs_.push_back({DML_BINDING_TYPE_BUFFER_ARRAY, &array});
  output_descs_.clear();
  if (op->persistent) {
    uses_.push_back({op->persistent, true});
    persistent = {op->persistent->d3d12.Get(), 0, op->properties.PersistentResourceSize};
    output_descs_.push_back({DML_BINDING_TYPE_BUFFER, &persistent});
  }
  batch.kept_alive.push_back(op);
  batch.kept_alive_com.emplace_back(initializer.Get());
  RecordDispatch(initializer.Get(), BindingProperties(initializer.Get()), nullptr);
}

void CommandRecorder::RecordDispatch(IDMLDispatchable* dispatchable, const DML_BINDING_PROPERTIES& properties,
                                     const DML_BUFFER_BINDING* persistent) {
  DML_BUFFER_BINDING temporary = {};
  if (properties.TemporaryResourceSize > 0) {
    const std::shared_ptr<Resource>& resource = Temporary(properties.TemporaryResourceSize);
    uses_.push_back({resource, true});
    temporary = {resource->d3d12.Get(), 0, properties.TemporaryResourceSize};
  }
  ApplyUses();
  ranges_.push_back(temporary);
  ranges_.push_back(persistent == nullptr ? DML_BUFFER_BINDING{} : *persistent);
  bool is_new = false;
  IDMLBindingTable* const table = TableFor(dispatchable, properties.RequiredDescriptorCount, &is_new);
  // A binding that is not needed removes the device just as a missing one does, so bind only what there is.
  if (is_new && !input_descs_.empty()) {
    table->BindInputs(static_cast<UINT>(input_descs_.size()), input_descs_.data());
  }
  if (is_new && !output_descs_.empty()) {
    table->BindOutputs(static_cast<UINT>(output_descs_.size()), output_descs_.data());
  }
  if (is_new && temporary.Buffer != nullptr) {
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, &temporary};
    table->BindTemporaryResource(&desc);
  }
  if (is_new && persistent != nullptr) {
    const DML_BINDING_DESC desc = {DML_BINDING_TYPE_BUFFER, persistent};
    table->BindPersistentResource(&desc);
  }
  dml_recorder_->RecordDispatch(current_->context.list.Get(), dispatchable, table);
  current_->recorded = true;
  uses_.clear();
  const HRESULT removed = dml_->GetDeviceRemovedReason();
  if (FAILED(removed)) throw CallFailure("IDMLCommandRecorder::RecordDispatch", removed);
  if (++current_->dispatches >= kDispatchesPerBatch) Submit();
}

void CommandRecorder::ApplyUses() {
  for (const Use& use : uses_) ZeroFill(use.resource);
  bool hazard = false;
  for (const Use& use : uses_) {
    Resource& resource = *use.resource;
    Enter(use.resource);
    if (resource.state != D3D12_RESOURCE_STATE_UNORDERED_ACCESS) {
      // From COMMON a buffer is promoted by its first use; a transition orders every earlier access to it.
      if (resource.state != D3D12_RESOURCE_STATE_COMMON) AddTransition(resource, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
      resource.state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
      resource.read_epoch = 0;
      resource.write_epoch = 0;
    } else if (resource.write_epoch == epoch_ || (use.write && resource.read_epoch == epoch_)) {
      hazard = true;
    }
  }
  if (hazard) {
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    barriers_.push_back(barrier);
    ++epoch_;
  }
  for (const Use& use : uses_) (use.write ? use.resource->write_epoch : use.resource->read_epoch) = epoch_;
  FlushBarriers();
}

IDMLBindingTable* CommandRecorder::TableFor(IDMLDispatchable* dispatchable, UINT descriptor_count, bool* is_new) {
  for (BoundTable& bound : tables_) {
    if (bound.dispatchable == dispatchable && SameRanges(bound.ranges, ranges_)) {
      *is_new = false;
      return bound.table.Get();
    }
  }
  *is_new = true;
  const DML_BINDING_TABLE_DESC desc = TakeDescriptors(dispatchable, descriptor_count);
  BoundTable& bound = tables_[next_table_];
  next_table_ = (next_table_ + 1) % tables_.size();
  bound.dispatchable = nullptr;
  if (bound.table) {
    ThrowIfFailed(bound.table->Reset(&desc), "IDMLBindingTable::Reset");
  } else {
    ThrowIfFailed(dml_->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, bound.table.Put()),
                  "IDMLDevice::CreateBindingTable");
  }
  bound.dispatchable = dispatchable;
  bound.ranges = ranges_;
  return bound.table.Get();
}

DescriptorHeap& CommandRecorder::HeapFor(UINT descriptor_count) {
  std::vector<DescriptorHeap>& heaps = current_->heaps;
  if (heaps.empty() || heaps.back().capacity - heaps.back().used < descriptor_count) {
    heaps.push_back(heap_pool_.Acquire(device_.Get(), descriptor_count));
  }
  return heaps.back();
}

DML_BINDING_TABLE_DESC CommandRecorder::TakeDescriptors(IDMLDispatchable* dispatchable, UINT descriptor_count) {
  Batch& batch = *current_;
  DescriptorHeap& heap = HeapFor(descriptor_count);
  if (batch.bound_heap != heap.heap.Get()) {
    batch.bound_heap = heap.heap.Get();
    batch.context.list->SetDescriptorHeaps(1, &batch.bound_heap);
    // Descriptors of the heap before are out of reach now.
    ForgetBindings();
  }
  const UINT start = heap.used * descriptor_size_;
  DML_BINDING_TABLE_DESC desc = {};
  desc.Dispatchable = dispatchable;
  desc.CPUDescriptorHandle.ptr = heap.cpu.ptr + start;
  desc.GPUDescriptorHandle.ptr = heap.gpu.ptr + start;
  desc.SizeInDescriptors = descriptor_count;
  heap.used += descriptor_count;
  return desc;
}

void CommandRecorder::ForgetBindings() {
  for (BoundTable& bound : tables_) bound.dispatchable = nullptr;
}

const std::shared_ptr<Resource>& CommandRecorder::Temporary(uint64_t size) {
  const uint64_t capacity = temporary_ ? temporary_->capacity : 0;
  if (2 * size > capacity) temporary_use_ = UsedNow();
  if (size <= capacity) return temporary_;
  temporary_.reset();
  const auto create = [&](uint64_t wanted) {
    temporary_ = CreateResource(device_.Get(), SizeClass(wanted));
    temporary_->counted = CountedBytes(counters_, &LiveCounters::temporary_bytes, temporary_->capacity);
  };
  try {
    // By half at least, so that few sizes are in flight at a time.
    create(std::max(size, capacity + capacity / 2));
  } catch (const Failure& failure) {
    if (!failure.IsOutOfMemory()) throw;
    create(size);
  }
  return temporary_;
}

}  // namespace ndml
