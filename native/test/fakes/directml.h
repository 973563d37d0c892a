/**
 * Fakes of DirectML: binding tables that store what is bound, and a recorder that stores dispatches (see
 * FakeList::RecordDispatch). They test our own handling of descriptors. DirectML's behavior is tested with DirectML.
 */
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "test/fakes/gpu.h"

namespace ndml::test {

class FakeOperator final : public FakeObject<IDMLCompiledOperator> {
 public:
  DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() noexcept override { Unused("GetBindingProperties"); }
};

class FakeBindingTable final : public FakeObject<IDMLBindingTable> {
 public:
  explicit FakeBindingTable(const DML_BINDING_TABLE_DESC* desc) { Reset(desc); }

  void STDMETHODCALLTYPE BindInputs(UINT count, const DML_BINDING_DESC* bindings) noexcept override;
  void STDMETHODCALLTYPE BindOutputs(UINT count, const DML_BINDING_DESC* bindings) noexcept override;
  void STDMETHODCALLTYPE BindTemporaryResource(const DML_BINDING_DESC* binding) noexcept override;
  void STDMETHODCALLTYPE BindPersistentResource(const DML_BINDING_DESC* binding) noexcept override;
  HRESULT STDMETHODCALLTYPE Reset(const DML_BINDING_TABLE_DESC* desc) noexcept override;

  IDMLDispatchable* dispatchable() const { return dispatchable_.Get(); }
  const Descriptor* slots() const { return slots_; }
  /** How many of the slots are bound. */
  size_t bound() const { return bound_; }

 private:
  void Bind(Role role, UINT count, const DML_BINDING_DESC* bindings);

  /** A strong reference, as in DirectML's own tables. */
  ComPtr<IDMLDispatchable> dispatchable_;
  Descriptor* slots_ = nullptr;
  size_t size_ = 0;
  size_t bound_ = 0;
};

class FakeDml final : public FakeObject<IDMLDevice> {
 public:
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DML_FEATURE, UINT, const void*, UINT, void*) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC*, REFIID, void**) noexcept override;
  HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator*, DML_EXECUTION_FLAGS, REFIID, void**) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT, IDMLCompiledOperator* const*, REFIID,
                                                      void**) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID, void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID,
                                               void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE Evict(UINT, IDMLPageable* const*) noexcept override;
  HRESULT STDMETHODCALLTYPE MakeResident(UINT, IDMLPageable* const*) noexcept override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() noexcept override { return removed_reason; }
  HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID, void**) noexcept override;

  std::atomic<HRESULT> removed_reason{S_OK};
  /** If it is a failure, the next CreateBindingTable returns it. */
  HRESULT next_table = S_OK;
};

}  // namespace ndml::test
