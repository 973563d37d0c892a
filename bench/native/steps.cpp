#include "steps.h"

#include <algorithm>
#include <utility>

namespace bench {

using ndml::BindingProperties;
using ndml::Iid;

namespace {

std::vector<DML_BINDING_DESC> AllBound(const Steps::Buffers& buffers) {
  std::vector<DML_BINDING_DESC> descs;
  for (const DML_BUFFER_BINDING& buffer : buffers) descs.push_back(Bound(buffer));
  return descs;
}

}  // namespace

void Steps::Add(const DML_OPERATOR_DESC& desc, Buffers inputs, Buffers outputs) {
  ComPtr<IDMLOperator> created;
  ComPtr<IDMLCompiledOperator> compiled;
  Check(gpu_.dml()->CreateOperator(&desc, Iid<IDMLOperator>::value, created.Put()), "IDMLDevice::CreateOperator");
  Check(gpu_.dml()->CompileOperator(created.Get(), DML_EXECUTION_FLAG_NONE, Iid<IDMLCompiledOperator>::value,
                                    compiled.Put()),
        "IDMLDevice::CompileOperator");
  Add(std::move(compiled), std::move(inputs), std::move(outputs));
}

void Steps::Add(ComPtr<IDMLCompiledOperator> dml, Buffers inputs, Buffers outputs) {
  steps_.push_back({std::move(dml), std::move(inputs), std::move(outputs), {}});
}

void Steps::Prepare() {
  std::vector<IDMLCompiledOperator*> operators;
  for (const Step& step : steps_) operators.push_back(step.dml.Get());
  ComPtr<IDMLOperatorInitializer> initializer;
  Check(gpu_.dml()->CreateOperatorInitializer(static_cast<UINT>(operators.size()), operators.data(),
                                              Iid<IDMLOperatorInitializer>::value, initializer.Put()),
        "IDMLDevice::CreateOperatorInitializer");
  DML_BINDING_PROPERTIES needs = BindingProperties(initializer.Get());
  Buffers persistent;
  for (const Step& step : steps_) {
    const DML_BINDING_PROPERTIES own = BindingProperties(step.dml.Get());
    needs.RequiredDescriptorCount += own.RequiredDescriptorCount;
    needs.TemporaryResourceSize = std::max(needs.TemporaryResourceSize, own.TemporaryResourceSize);
    persistent.push_back(CreateBuffer(own.PersistentResourceSize));
  }
  heap_ = gpu_.CreateDescriptorHeap(needs.RequiredDescriptorCount);
  temporary_ = CreateBuffer(needs.TemporaryResourceSize);

  const std::vector<DML_BINDING_DESC> initialized = AllBound(persistent);
  const ComPtr<IDMLBindingTable> initialization = CreateTable(initializer.Get());
  initialization->BindOutputs(static_cast<UINT>(initialized.size()), initialized.data());
  for (size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    step.table = CreateTable(step.dml.Get());
    const std::vector<DML_BINDING_DESC> inputs = AllBound(step.inputs);
    const std::vector<DML_BINDING_DESC> outputs = AllBound(step.outputs);
    step.table->BindInputs(static_cast<UINT>(inputs.size()), inputs.data());
    step.table->BindOutputs(static_cast<UINT>(outputs.size()), outputs.data());
    if (persistent[i].Buffer != nullptr) step.table->BindPersistentResource(&initialized[i]);
  }
  ID3D12GraphicsCommandList* const list = gpu_.Begin();
  ID3D12DescriptorHeap* const heaps[] = {heap_.Get()};
  list->SetDescriptorHeaps(1, heaps);
  gpu_.recorder()->RecordDispatch(list, initializer.Get(), initialization.Get());
  gpu_.Finish();
}

void Steps::Record(ID3D12GraphicsCommandList* list) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
  ID3D12DescriptorHeap* const heaps[] = {heap_.Get()};
  list->SetDescriptorHeaps(1, heaps);
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (i > 0) list->ResourceBarrier(1, &barrier);
    gpu_.recorder()->RecordDispatch(list, steps_[i].dml.Get(), steps_[i].table.Get());
  }
}

DML_BUFFER_BINDING Steps::CreateBuffer(uint64_t size) {
  if (size == 0) return {};
  buffers_.push_back(gpu_.CreateBuffer(size, Memory::kDevice));
  return {buffers_.back().Get(), 0, size};
}

ComPtr<IDMLBindingTable> Steps::CreateTable(IDMLDispatchable* dispatchable) {
  const UINT first = used_descriptors_;
  used_descriptors_ += BindingProperties(dispatchable).RequiredDescriptorCount;
  return gpu_.CreateBindingTable(dispatchable, heap_.Get(), first, temporary_.Buffer);
}

}  // namespace bench
