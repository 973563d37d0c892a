#include "test/fakes/directml.h"

#include <utility>

#include "test/check.h"

namespace ndml::test {

namespace {

class FakeRecorder final : public FakeObject<IDMLCommandRecorder> {
 public:
  void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                        IDMLBindingTable* bindings) noexcept override {
    const auto* const table = static_cast<FakeBindingTable*>(bindings);
    if (table->dispatchable() != dispatchable) Fail("a dispatch has the table of another operator");
    auto* const fake = static_cast<FakeList*>(list);
    fake->recording()->commands.push_back(
        [life = static_cast<FakeOperator*>(dispatchable)->Life()](RecordedCommands::Run&) {
          if (life.expired()) Fail("an operator was freed before the GPU ran it");
        });
    fake->RecordDispatch(table->slots(), table->bound());
  }
};

}  // namespace

void FakeBindingTable::BindInputs(UINT count, const DML_BINDING_DESC* bindings) noexcept {
  Bind(Role::kInput, count, bindings);
}

void FakeBindingTable::BindOutputs(UINT count, const DML_BINDING_DESC* bindings) noexcept {
  Bind(Role::kOutput, count, bindings);
}

void FakeBindingTable::BindTemporaryResource(const DML_BINDING_DESC* binding) noexcept {
  Bind(Role::kTemporary, 1, binding);
}

void FakeBindingTable::BindPersistentResource(const DML_BINDING_DESC* binding) noexcept {
  Bind(Role::kPersistent, 1, binding);
}

HRESULT FakeBindingTable::Reset(const DML_BINDING_TABLE_DESC* desc) noexcept {
  dispatchable_ = desc != nullptr ? ComPtr<IDMLDispatchable>(desc->Dispatchable) : nullptr;
  slots_ = desc != nullptr ? reinterpret_cast<Descriptor*>(desc->CPUDescriptorHandle.ptr) : nullptr;
  size_ = desc != nullptr ? desc->SizeInDescriptors : 0;
  bound_ = 0;
  return S_OK;
}

void FakeBindingTable::Bind(Role role, UINT count, const DML_BINDING_DESC* bindings) {
  for (UINT i = 0; i < count; ++i) {
    if (bindings[i].Type == DML_BINDING_TYPE_NONE) continue;
    if (bound_ == size_) return Fail("a table has too few descriptors");
    const auto* const range = static_cast<const DML_BUFFER_BINDING*>(bindings[i].Desc);
    slots_[bound_++] = {static_cast<FakeResource*>(range->Buffer), range->Offset, range->SizeInBytes, role};
  }
}

HRESULT FakeDml::CreateCommandRecorder(REFIID, void** result) noexcept { return Give(Make<FakeRecorder>(), result); }

HRESULT FakeDml::CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID, void** result) noexcept {
  if (FAILED(next_table)) return std::exchange(next_table, S_OK);
  return Give(Make<FakeBindingTable>(desc), result);
}

HRESULT FakeDml::CheckFeatureSupport(DML_FEATURE, UINT, const void*, UINT, void*) noexcept {
  Unused("CheckFeatureSupport");
}
HRESULT FakeDml::CreateOperator(const DML_OPERATOR_DESC*, REFIID, void**) noexcept { Unused("CreateOperator"); }
HRESULT FakeDml::CompileOperator(IDMLOperator*, DML_EXECUTION_FLAGS, REFIID, void**) noexcept {
  Unused("CompileOperator");
}
HRESULT FakeDml::CreateOperatorInitializer(UINT, IDMLCompiledOperator* const*, REFIID, void**) noexcept {
  Unused("CreateOperatorInitializer");
}
HRESULT FakeDml::Evict(UINT, IDMLPageable* const*) noexcept { Unused("Evict"); }
HRESULT FakeDml::MakeResident(UINT, IDMLPageable* const*) noexcept { Unused("MakeResident"); }
HRESULT FakeDml::GetParentDevice(REFIID, void**) noexcept { Unused("GetParentDevice"); }

}  // namespace ndml::test
