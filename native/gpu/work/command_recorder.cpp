#include "gpu/work/command_recorder.h"

#include <utility>

#include "gpu/memory/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

namespace {

/** Ranges besides inputs and outputs: the temporary and the persistent resource. */
constexpr size_t kOwnRanges = 2;

}  // namespace

CommandRecorder::CommandRecorder(IDMLDevice* dml, Batches* batches, BindingTables* tables, TemporaryResource* temporary,
                                 Copies* copies, LaterReads* later_reads)
    : dml_(dml), batches_(batches), tables_(tables), temporary_(temporary), copies_(copies), later_reads_(later_reads) {
  ThrowIfFailed(dml_->CreateCommandRecorder(Iid<IDMLCommandRecorder>::value, dml_recorder_.Put()),
                "IDMLDevice::CreateCommandRecorder");
}

void CommandRecorder::Reserve(const DML_BINDING_PROPERTIES& properties) {
  if (properties.TemporaryResourceSize > 0) temporary_->Get(properties.TemporaryResourceSize);
}

void CommandRecorder::Dispatch(const DispatchCommand& command, std::optional<size_t> measured) {
  const auto& [op, inputs, outputs] = command;
  later_reads_->CopyOverwritten(outputs);
  BeginBindings(inputs.size() + outputs.size());
  const auto describe = [this](const std::vector<BufferRange>& bound, bool write,
                               const std::vector<uint64_t>& overwritten, std::vector<DML_BINDING_DESC>& descs) {
    for (size_t i = 0; i < bound.size(); ++i) {
      const BufferRange& range = bound[i];
      if (range.resource) {
        const bool overwrites =
            i < overwritten.size() && range.offset == 0 && overwritten[i] >= range.resource->capacity;
        descs.push_back(
            {DML_BINDING_TYPE_BUFFER, AddRange(range.resource, range.offset, range.size, write, overwrites)});
      } else {
        descs.push_back({DML_BINDING_TYPE_NONE, nullptr});
      }
    }
  };
  describe(inputs, false, {}, bindings_.inputs);
  describe(outputs, true, op->overwritten, bindings_.outputs);
  std::vector<std::shared_ptr<const void>>& kept_alive = batches_->Open().kept_alive;
  if (kept_alive.empty() || kept_alive.back() != op) kept_alive.push_back(op);
  Record(op->dml.Get(), op->properties, op->persistent, measured);
}

void CommandRecorder::CopyTexture(const TextureCopy& copy) {
  if (copy.to_buffer) later_reads_->CopyOverwritten(WrittenBy(copy));
  copies_->CopyTexture(copy);
}

void CommandRecorder::Initialize(const std::shared_ptr<CompiledOperator>& op,
                                 const ComPtr<IDMLOperatorInitializer>& initializer,
                                 const std::vector<BufferRange>& inputs) {
  BeginBindings(inputs.size() + 1);
  bool any = false;
  for (const BufferRange& range : inputs) {
    any = any || range.resource;
    if (range.resource) {
      AddRange(range.resource, range.offset, range.size, false);
    } else {
      AddNone();
    }
  }
  // Per operator, an initializer has one input (an array) and one output (the persistent resource).
  const DML_BUFFER_ARRAY_BINDING array = {static_cast<UINT>(bindings_.ranges.size()), bindings_.ranges.data()};
  // Without inputs, do not call BindInputs: DirectML reads an array even from a binding of type NONE, and crashes.
  if (any) bindings_.inputs.push_back({DML_BINDING_TYPE_BUFFER_ARRAY, &array});
  if (op->persistent) {
    const uint64_t size = op->properties.PersistentResourceSize;
    bindings_.outputs.push_back({DML_BINDING_TYPE_BUFFER, AddRange(op->persistent, 0, size, true)});
  }
  Batch& batch = batches_->Open();
  batch.kept_alive.push_back(op);
  batch.kept_alive_com.emplace_back(initializer.Get());
  Record(initializer.Get(), BindingProperties(initializer.Get()), nullptr, std::nullopt);
  tables_->Forget(initializer.Get());
}

void CommandRecorder::BeginBindings(size_t count) {
  uses_.clear();
  bindings_.inputs.clear();
  bindings_.outputs.clear();
  bindings_.ranges.clear();
  bindings_.resources.clear();
  // The binding descriptions point into this vector, so it must not reallocate.
  bindings_.ranges.reserve(count + kOwnRanges);
}

const DML_BUFFER_BINDING* CommandRecorder::AddRange(const std::shared_ptr<Resource>& resource, uint64_t offset,
                                                    uint64_t size, bool write, bool overwrites) {
  uses_.push_back({&resource, write, overwrites});
  bindings_.resources.push_back(resource->id);
  bindings_.ranges.push_back({resource->d3d12.Get(), offset, size});
  return &bindings_.ranges.back();
}

void CommandRecorder::AddNone() {
  bindings_.resources.push_back(0);
  bindings_.ranges.push_back({});
}

void CommandRecorder::Record(IDMLDispatchable* dispatchable, const DML_BINDING_PROPERTIES& properties,
                             const std::shared_ptr<Resource>& persistent, std::optional<size_t> measured) {
  const auto add_own = [this](const std::shared_ptr<Resource>& resource, uint64_t size) {
    if (size == 0) {
      AddNone();
      return DML_BUFFER_BINDING{};
    }
    return *AddRange(resource, 0, size, true);
  };
  const std::shared_ptr<Resource> none;
  const uint64_t temporary_size = properties.TemporaryResourceSize;
  bindings_.temporary = add_own(temporary_size > 0 ? temporary_->Get(temporary_size) : none, temporary_size);
  bindings_.persistent = add_own(persistent, persistent ? properties.PersistentResourceSize : 0);
  Batch& batch = batches_->Open();
  for (const ResourceUse& use : uses_) {
    if (!use.overwrites) copies_->ZeroFill(*use.resource);
  }
  batch.hazards.UseForDispatch(uses_);
  batch.hazards.Flush();
  ID3D12GraphicsCommandList* const list = batch.list();
  IDMLBindingTable* const table = tables_->Bind(list, dispatchable, properties.RequiredDescriptorCount, bindings_);
  if (batch.stamps) {
    RecordWithStamps(&*batch.stamps, list, dispatchable, table, measured);
  } else {
    dml_recorder_->RecordDispatch(list, dispatchable, table);
  }
  batch.recorded = true;
  for (const ResourceUse& use : uses_) {
    if (use.overwrites) (*use.resource)->defined_bytes = (*use.resource)->capacity;
  }
  const HRESULT removed = dml_->GetDeviceRemovedReason();
  if (FAILED(removed)) throw CallFailure("IDMLCommandRecorder::RecordDispatch", removed);
  if (++batch.dispatches >= kMaxDispatchesPerBatch && !batch.is_for_recording) batches_->Submit();
}

void CommandRecorder::RecordWithStamps(ListStamps* stamps, ID3D12GraphicsCommandList* list,
                                       IDMLDispatchable* dispatchable, IDMLBindingTable* table,
                                       std::optional<size_t> measured) {
  if (measured) stamps->BeginDispatch(list);
  dml_recorder_->RecordDispatch(list, dispatchable, table);
  if (measured) {
    stamps->EndDispatch(list, *measured);
  } else {
    stamps->MarkCommand();
  }
}

}  // namespace ndml
