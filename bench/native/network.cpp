#include "network.h"

#include <algorithm>

#include "copy.h"

namespace bench {

using ndml::Iid;

namespace {

// The same sizes, data and operators as in network.mjs.
constexpr UINT kRows = 7, kColumns = 33;
constexpr uint64_t kBytes = uint64_t{4} * kRows * kColumns;

}  // namespace

Network::Network(Gpu& gpu, unsigned layers)
    : gpu_(gpu),
      descriptor_size_(gpu.device()->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV)),
      input_(CreateBuffer(kBytes)) {
  std::vector<float> values(kRows * kColumns);
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 61) / 64.0f - 0.25f;
  UploadWords(gpu, input_.Buffer, values.data(), kBytes);
  for (unsigned layer = 0; layer < layers; ++layer) AddLayer(layer);
  Initialize();
}

void Network::AddLayer(unsigned layer) {
  const UINT sizes[2] = {kRows, kColumns};
  const UINT square_sizes[2] = {kColumns, kColumns};
  const DML_BUFFER_TENSOR_DESC buffer = Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, sizes);
  const DML_BUFFER_TENSOR_DESC square_buffer = Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, square_sizes);
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_TENSOR_DESC square = {DML_TENSOR_TYPE_BUFFER, &square_buffer};
  const DML_GEMM_OPERATOR_DESC gemm = {
      &tensor, &square, nullptr, &tensor, DML_MATRIX_TRANSFORM_NONE, DML_MATRIX_TRANSFORM_NONE, 1, 0, nullptr};
  const DML_ELEMENT_WISE_ADD_OPERATOR_DESC add = {&tensor, &tensor, &tensor};
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {&tensor, &tensor};
  const DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC multiply = {&tensor, &tensor, &tensor};
  const DML_ACTIVATION_TANH_OPERATOR_DESC tanh = {&tensor, &tensor};
  AddStep({DML_OPERATOR_GEMM, &gemm}, 3, CreateWeights(kColumns * kColumns, 3 * layer));
  AddStep({DML_OPERATOR_ELEMENT_WISE_ADD, &add}, 2, CreateWeights(kRows * kColumns, 3 * layer + 1));
  AddStep({DML_OPERATOR_ACTIVATION_RELU, &relu}, 1);
  AddStep({DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &multiply}, 2, CreateWeights(kRows * kColumns, 3 * layer + 2));
  AddStep({DML_OPERATOR_ACTIVATION_TANH, &tanh}, 1);
}

void Network::AddStep(const DML_OPERATOR_DESC& desc, UINT input_count, const DML_BUFFER_BINDING& second) {
  Step step;
  ComPtr<IDMLOperator> created;
  Check(gpu_.dml()->CreateOperator(&desc, Iid<IDMLOperator>::value, created.Put()), "IDMLDevice::CreateOperator");
  Check(gpu_.dml()->CompileOperator(created.Get(), DML_EXECUTION_FLAG_NONE, Iid<IDMLCompiledOperator>::value,
                                    step.dml.Put()),
        "IDMLDevice::CompileOperator");
  step.needs = ndml::BindingProperties(step.dml.Get());
  step.inputs[0] = steps_.empty() ? input_ : steps_.back().output;
  step.inputs[1] = second;
  step.input_count = input_count;
  step.output = CreateBuffer(kBytes);
  if (step.needs.PersistentResourceSize > 0) step.persistent = CreateBuffer(step.needs.PersistentResourceSize);
  steps_.push_back(std::move(step));
}

DML_BUFFER_BINDING Network::CreateBuffer(uint64_t size) {
  buffers_.push_back(gpu_.CreateBuffer(size, Memory::kDevice));
  return {buffers_.back().Get(), 0, size};
}

DML_BUFFER_BINDING Network::CreateWeights(unsigned words, unsigned seed) {
  std::vector<float> values(words);
  for (uint32_t i = 0; i < words; ++i) values[i] = static_cast<float>((7 * i + seed) % 67) / 128.0f - 0.25f;
  const DML_BUFFER_BINDING weights = CreateBuffer(uint64_t{4} * words);
  UploadWords(gpu_, weights.Buffer, values.data(), weights.SizeInBytes);
  return weights;
}

void Network::Initialize() {
  std::vector<IDMLCompiledOperator*> operators;
  uint64_t temporary = 0;
  for (const Step& step : steps_) {
    operators.push_back(step.dml.Get());
    temporary = std::max(temporary, step.needs.TemporaryResourceSize);
  }
  ComPtr<IDMLOperatorInitializer> initializer;
  const UINT count = static_cast<UINT>(operators.size());
  Check(gpu_.dml()->CreateOperatorInitializer(count, operators.data(), Iid<IDMLOperatorInitializer>::value,
                                              initializer.Put()),
        "IDMLDevice::CreateOperatorInitializer");
  const DML_BINDING_PROPERTIES needs = ndml::BindingProperties(initializer.Get());
  temporary = std::max(temporary, needs.TemporaryResourceSize);
  if (temporary > 0) temporary_ = CreateBuffer(temporary);

  const ComPtr<ID3D12DescriptorHeap> heap = gpu_.CreateDescriptorHeap(needs.RequiredDescriptorCount);
  Reset(heap.Get(), 0, initializer.Get(), needs.RequiredDescriptorCount);
  std::vector<DML_BINDING_DESC> outputs;
  for (const Step& step : steps_) outputs.push_back(Bound(step.persistent));
  table_->BindOutputs(count, outputs.data());
  BindTemporary(needs.TemporaryResourceSize);
  ID3D12GraphicsCommandList* const list = gpu_.Begin();
  ID3D12DescriptorHeap* const heaps[] = {heap.Get()};
  list->SetDescriptorHeaps(1, heaps);
  gpu_.recorder()->RecordDispatch(list, initializer.Get(), table_.Get());
  gpu_.Finish();
}

void Network::Run(unsigned dispatches) {
  size_t index = 0;
  for (unsigned first = 0; first < dispatches; first += kDispatchesPerList) {
    Batch& batch = BatchAt(index++);
    Record(batch, first, std::min(kDispatchesPerList, dispatches - first));
    gpu_.Submit(batch.commands.list.Get());
  }
  gpu_.Wait();
}

Network::Batch& Network::BatchAt(size_t index) {
  if (index == batches_.size()) {
    UINT most = 0;
    for (const Step& step : steps_) most = std::max(most, step.needs.RequiredDescriptorCount);
    Batch batch = {gpu_.CreateCommands(), gpu_.CreateDescriptorHeap(most * kDispatchesPerList)};
    Check(batch.commands.list->Close(), "ID3D12GraphicsCommandList::Close");
    batches_.push_back(std::move(batch));
  }
  return batches_[index];
}

void Network::Record(Batch& batch, unsigned first, unsigned count) {
  Check(batch.commands.allocator->Reset(), "ID3D12CommandAllocator::Reset");
  ID3D12GraphicsCommandList* const list = batch.commands.list.Get();
  Check(list->Reset(batch.commands.allocator.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
  ID3D12DescriptorHeap* const heaps[] = {batch.heap.Get()};
  list->SetDescriptorHeaps(1, heaps);
  UINT descriptor = 0;
  for (unsigned i = 0; i < count; ++i) {
    const size_t index = (first + i) % steps_.size();
    const Step& step = steps_[index];
    // The first step of a pass needs no barrier: it reads the input, which no step writes.
    if (i > 0 && index > 0) list->ResourceBarrier(1, &barrier);
    Reset(batch.heap.Get(), descriptor, step.dml.Get(), step.needs.RequiredDescriptorCount);
    descriptor += step.needs.RequiredDescriptorCount;
    Bind(step);
    gpu_.recorder()->RecordDispatch(list, step.dml.Get(), table_.Get());
  }
  Check(list->Close(), "ID3D12GraphicsCommandList::Close");
}

void Network::Reset(ID3D12DescriptorHeap* heap, UINT first_descriptor, IDMLDispatchable* dispatchable, UINT count) {
  DML_BINDING_TABLE_DESC desc = {dispatchable, ndml::CpuHeapStart(heap), ndml::GpuHeapStart(heap), count};
  desc.CPUDescriptorHandle.ptr += first_descriptor * descriptor_size_;
  desc.GPUDescriptorHandle.ptr += first_descriptor * descriptor_size_;
  if (table_) {
    Check(table_->Reset(&desc), "IDMLBindingTable::Reset");
  } else {
    Check(gpu_.dml()->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, table_.Put()),
          "IDMLDevice::CreateBindingTable");
  }
}

void Network::Bind(const Step& step) {
  DML_BINDING_DESC inputs[3];
  for (UINT i = 0; i < step.input_count; ++i) inputs[i] = Bound(step.inputs[i]);
  table_->BindInputs(step.input_count, inputs);
  const DML_BINDING_DESC output = Bound(step.output);
  table_->BindOutputs(1, &output);
  BindTemporary(step.needs.TemporaryResourceSize);
  if (step.persistent.Buffer != nullptr) {
    const DML_BINDING_DESC binding = Bound(step.persistent);
    table_->BindPersistentResource(&binding);
  }
}

void Network::BindTemporary(uint64_t size) {
  if (size == 0) return;
  const DML_BUFFER_BINDING buffer = {temporary_.Buffer, 0, size};
  const DML_BINDING_DESC binding = Bound(buffer);
  table_->BindTemporaryResource(&binding);
}

std::vector<uint32_t> Network::Result() { return ReadWords(gpu_, steps_.back().output.Buffer, kBytes); }

}  // namespace bench
