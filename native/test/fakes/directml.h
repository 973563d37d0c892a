/** A DirectML that records a dispatch for each operator: see FakeList::RecordDispatch. */
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "test/fakes/gpu.h"

namespace ndml::test {

class FakeOperator final : public FakeObject<IDMLCompiledOperator> {
 public:
  DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() override { Unused("GetBindingProperties"); }
};

class FakeBindingTable final : public FakeObject<IDMLBindingTable> {
 public:
  explicit FakeBindingTable(const DML_BINDING_TABLE_DESC* desc) { Reset(desc); }

  void STDMETHODCALLTYPE BindInputs(UINT count, const DML_BINDING_DESC* bindings) override;
  void STDMETHODCALLTYPE BindOutputs(UINT count, const DML_BINDING_DESC* bindings) override;
  void STDMETHODCALLTYPE BindTemporaryResource(const DML_BINDING_DESC* binding) override;
  void STDMETHODCALLTYPE BindPersistentResource(const DML_BINDING_DESC* binding) override;
  HRESULT STDMETHODCALLTYPE Reset(const DML_BINDING_TABLE_DESC* desc) override;

  IDMLDispatchable* dispatchable() const { return dispatchable_.Get(); }
  const Descriptor* slots() const { return slots_; }
  /** How many of them are bound. */
  size_t bound() const { return bound_; }

 private:
  void Bind(Role role, UINT count, const DML_BINDING_DESC* bindings);

  /** As DirectML's tables do, it keeps it alive. */
  ComPtr<IDMLDispatchable> dispatchable_;
  Descriptor* slots_ = nullptr;
  size_t size_ = 0;
  size_t bound_ = 0;
};

class FakeDml final : public FakeObject<IDMLDevice> {
 public:
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DML_FEATURE, UINT, const void*, UINT, void*) override;
  HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC*, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator*, DML_EXECUTION_FLAGS, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT, IDMLCompiledOperator* const*, REFIID, void**) override;
  HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID, void** result) override;
  HRESULT STDMETHODCALLTYPE Evict(UINT, IDMLPageable* const*) override;
  HRESULT STDMETHODCALLTYPE MakeResident(UINT, IDMLPageable* const*) override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override { return removed_reason; }
  HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID, void**) override;

  std::atomic<HRESULT> removed_reason{S_OK};
  /** What the next CreateBindingTable returns. */
  HRESULT next_table = S_OK;
};

}  // namespace ndml::test
