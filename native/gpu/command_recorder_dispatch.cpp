/** The part of the recorder that calls DirectML: dispatches and initializations, with their temporary resource. */
#include <algorithm>

#include "gpu/command_recorder.h"
#include "gpu/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

namespace {

/** Ranges besides inputs and outputs: the temporary and the persistent resource. */
constexpr size_t kOwnRanges = 2;

struct ClearOnExit {
  std::vector<ResourceUse>* uses;
  ~ClearOnExit() { uses->clear(); }
};

}  // namespace

void CommandRecorder::Reserve(const DML_BINDING_PROPERTIES& properties) {
  Open();
  if (properties.TemporaryResourceSize > 0) Temporary(properties.TemporaryResourceSize);
}

void CommandRecorder::Dispatch(const DispatchCommand& command) {
  const auto& [op, inputs, outputs] = command;
  if (!later_reads_.empty()) CopyOverwritten(outputs);
  Batch& batch = Open();
  BeginBindings(inputs.size() + outputs.size());
  const auto describe = [this](const std::vector<BufferRange>& bound, bool write,
                               std::vector<DML_BINDING_DESC>& descs) {
    for (const BufferRange& range : bound) {
      if (range.resource) {
        descs.push_back({DML_BINDING_TYPE_BUFFER, AddRange(range, write)});
      } else {
        descs.push_back({DML_BINDING_TYPE_NONE, nullptr});
      }
    }
  };
  describe(inputs, false, bindings_.inputs);
  describe(outputs, true, bindings_.outputs);
  batch.kept_alive.push_back(op);
  RecordDispatch(op->dml.Get(), op->properties, op->persistent);
}

void CommandRecorder::Initialize(const std::shared_ptr<CompiledOperator>& op,
                                 const ComPtr<IDMLOperatorInitializer>& initializer,
                                 const std::vector<BufferRange>& inputs) {
  Batch& batch = Open();
  BeginBindings(inputs.size() + 1);
  bool any = false;
  for (const BufferRange& range : inputs) {
    any = any || range.resource;
    if (range.resource) {
      AddRange(range, false);
    } else {
      AddNone();
    }
  }
  // Per operator, an initializer has one input (an array) and one output (the persistent resource).
  const DML_BUFFER_ARRAY_BINDING array = {static_cast<UINT>(bindings_.ranges.size()), bindings_.ranges.data()};
  // Without inputs, do not call BindInputs: DirectML reads an array even from a binding of type NONE, and crashes.
  if (any) bindings_.inputs.push_back({DML_BINDING_TYPE_BUFFER_ARRAY, &array});
  if (op->persistent) {
    const BufferRange persistent = {op->persistent, 0, op->properties.PersistentResourceSize};
    bindings_.outputs.push_back({DML_BINDING_TYPE_BUFFER, AddRange(persistent, true)});
  }
  batch.kept_alive.push_back(op);
  batch.kept_alive_com.emplace_back(initializer.Get());
  RecordDispatch(initializer.Get(), BindingProperties(initializer.Get()), nullptr);
  tables_.Forget(initializer.Get());
}

void CommandRecorder::BeginBindings(size_t count) {
  uses_.clear();
  bindings_.inputs.clear();
  bindings_.outputs.clear();
  bindings_.ranges.clear();
  bindings_.resources.clear();
  // The binding descriptions point into this vector.
  bindings_.ranges.reserve(count + kOwnRanges);
}

const DML_BUFFER_BINDING* CommandRecorder::AddRange(const BufferRange& range, bool write) {
  uses_.push_back({range.resource, write});
  bindings_.resources.push_back(range.resource->id);
  bindings_.ranges.push_back({range.resource->d3d12.Get(), range.offset, range.size});
  return &bindings_.ranges.back();
}

void CommandRecorder::AddNone() {
  bindings_.resources.push_back(0);
  bindings_.ranges.push_back({});
}

void CommandRecorder::RecordDispatch(IDMLDispatchable* dispatchable, const DML_BINDING_PROPERTIES& properties,
                                     const std::shared_ptr<Resource>& persistent) {
  // Also if this throws: the uses keep buffers alive.
  const ClearOnExit clear{&uses_};
  const auto add_own = [this](const std::shared_ptr<Resource>& resource, uint64_t size) {
    if (size == 0) {
      AddNone();
      return DML_BUFFER_BINDING{};
    }
    return *AddRange({resource, 0, size}, true);
  };
  const uint64_t temporary_size = properties.TemporaryResourceSize;
  bindings_.temporary = add_own(temporary_size > 0 ? Temporary(temporary_size) : nullptr, temporary_size);
  bindings_.persistent = add_own(persistent, persistent ? properties.PersistentResourceSize : 0);
  for (const ResourceUse& use : uses_) ZeroFill(use.resource);
  current_->hazards.UseForDispatch(uses_);
  current_->hazards.Flush();
  ID3D12GraphicsCommandList* const list = current_->context.list.Get();
  IDMLBindingTable* const table = tables_.Bind(list, dispatchable, properties.RequiredDescriptorCount, bindings_);
  if (current_->stamps) {
    RecordWithStamps(list, dispatchable, table);
  } else {
    dml_recorder_->RecordDispatch(list, dispatchable, table);
  }
  current_->recorded = true;
  const HRESULT removed = dml_->GetDeviceRemovedReason();
  if (FAILED(removed)) throw CallFailure("IDMLCommandRecorder::RecordDispatch", removed);
  if (++current_->dispatches >= kMaxDispatchesPerBatch && submits_full_batches_) Submit();
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
    // Grows by at least half, so that only few sizes are in flight at a time.
    create(std::max(size, capacity + capacity / 2));
  } catch (const Failure& failure) {
    if (!failure.IsOutOfMemory()) throw;
    create(size);
  }
  return temporary_;
}

}  // namespace ndml
