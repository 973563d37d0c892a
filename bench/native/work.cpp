#include "work.h"

#include <algorithm>
#include <cstring>

#include "copy.h"

namespace bench {

using ndml::Iid;

namespace {

DML_BUFFER_BINDING Whole(const ComPtr<ID3D12Resource>& buffer, uint64_t size) { return {buffer.Get(), 0, size}; }

}  // namespace

Scatter::Scatter(Gpu& gpu, uint32_t elements, uint32_t updates)
    : gpu_(gpu), element_bytes_(uint64_t{4} * elements), update_bytes_(uint64_t{4} * updates) {
  // The same data as in data.mjs.
  std::vector<float> values(elements);
  for (uint32_t i = 0; i < elements; ++i) values[i] = static_cast<float>(i % 8191);
  std::vector<uint32_t> indices(updates);
  std::vector<float> changes(updates);
  for (uint32_t i = 0; i < updates; ++i) {
    indices[i] = static_cast<uint32_t>(uint64_t{611953} * i % elements);
    changes[i] = -0.5f - static_cast<float>(i % 4093);
  }
  for (ComPtr<ID3D12Resource>& buffer : values_) buffer = gpu.CreateBuffer(element_bytes_, Memory::kDevice);
  indices_ = gpu.CreateBuffer(update_bytes_, Memory::kDevice);
  updates_ = gpu.CreateBuffer(update_bytes_, Memory::kDevice);
  UploadWords(gpu, values_[0].Get(), values.data(), element_bytes_);
  UploadWords(gpu, indices_.Get(), indices.data(), update_bytes_);
  UploadWords(gpu, updates_.Get(), changes.data(), update_bytes_);
  Compile(elements, updates);
  Initialize();
  Bind();
}

void Scatter::Compile(uint32_t elements, uint32_t updates) {
  const UINT value_sizes[2] = {1, elements};
  const UINT index_sizes[2] = {updates, 1};
  const UINT update_sizes[2] = {1, updates};
  const DML_BUFFER_TENSOR_DESC value_buffer = Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, value_sizes);
  const DML_BUFFER_TENSOR_DESC index_buffer = Tensor(DML_TENSOR_DATA_TYPE_UINT32, index_sizes);
  const DML_BUFFER_TENSOR_DESC update_buffer = Tensor(DML_TENSOR_DATA_TYPE_FLOAT32, update_sizes);
  const DML_TENSOR_DESC value = {DML_TENSOR_TYPE_BUFFER, &value_buffer};
  const DML_TENSOR_DESC index = {DML_TENSOR_TYPE_BUFFER, &index_buffer};
  const DML_TENSOR_DESC update = {DML_TENSOR_TYPE_BUFFER, &update_buffer};
  const DML_SCATTER_ND_OPERATOR_DESC scatter = {&value, &index, &update, &value, 1, 2};
  const DML_OPERATOR_DESC desc = {DML_OPERATOR_SCATTER_ND, &scatter};
  ComPtr<IDMLOperator> created;
  Check(gpu_.dml()->CreateOperator(&desc, Iid<IDMLOperator>::value, created.Put()), "IDMLDevice::CreateOperator");
  Check(gpu_.dml()->CompileOperator(created.Get(), DML_EXECUTION_FLAG_NONE, Iid<IDMLCompiledOperator>::value,
                                    operator_.Put()),
        "IDMLDevice::CompileOperator");
}

void Scatter::Initialize() {
  ComPtr<IDMLOperatorInitializer> initializer;
  IDMLCompiledOperator* const operators[] = {operator_.Get()};
  Check(gpu_.dml()->CreateOperatorInitializer(1, operators, Iid<IDMLOperatorInitializer>::value, initializer.Put()),
        "IDMLDevice::CreateOperatorInitializer");
  const DML_BINDING_PROPERTIES needs = ndml::BindingProperties(operator_.Get());
  const DML_BINDING_PROPERTIES initial = ndml::BindingProperties(initializer.Get());
  const uint64_t temporary = std::max(needs.TemporaryResourceSize, initial.TemporaryResourceSize);
  if (temporary > 0) temporary_ = gpu_.CreateBuffer(temporary, Memory::kDevice);
  if (needs.PersistentResourceSize > 0) {
    persistent_ = gpu_.CreateBuffer(needs.PersistentResourceSize, Memory::kDevice);
  }

  heap_ = gpu_.CreateDescriptorHeap(std::max(2 * needs.RequiredDescriptorCount, initial.RequiredDescriptorCount));

  const DML_BINDING_TABLE_DESC desc = {initializer.Get(), ndml::CpuHeapStart(heap_.Get()),
                                       ndml::GpuHeapStart(heap_.Get()), initial.RequiredDescriptorCount};
  ComPtr<IDMLBindingTable> table;
  Check(gpu_.dml()->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, table.Put()),
        "IDMLDevice::CreateBindingTable");
  if (initial.TemporaryResourceSize > 0) {
    const DML_BUFFER_BINDING buffer = Whole(temporary_, initial.TemporaryResourceSize);
    const DML_BINDING_DESC binding = {DML_BINDING_TYPE_BUFFER, &buffer};
    table->BindTemporaryResource(&binding);
  }
  if (persistent_) {
    const DML_BUFFER_BINDING buffer = Whole(persistent_, needs.PersistentResourceSize);
    const DML_BINDING_DESC binding = {DML_BINDING_TYPE_BUFFER, &buffer};
    table->BindOutputs(1, &binding);
  }
  ID3D12GraphicsCommandList* const list = gpu_.Begin();
  ID3D12DescriptorHeap* const heaps[] = {heap_.Get()};
  list->SetDescriptorHeaps(1, heaps);
  gpu_.recorder()->RecordDispatch(list, initializer.Get(), table.Get());
  gpu_.Finish();
}

void Scatter::Bind() {
  const DML_BINDING_PROPERTIES needs = ndml::BindingProperties(operator_.Get());
  const UINT step = gpu_.device()->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV) *
                    needs.RequiredDescriptorCount;
  for (UINT direction = 0; direction < 2; ++direction) {
    DML_BINDING_TABLE_DESC desc = {operator_.Get(), ndml::CpuHeapStart(heap_.Get()), ndml::GpuHeapStart(heap_.Get()),
                                   needs.RequiredDescriptorCount};
    desc.CPUDescriptorHandle.ptr += direction * step;
    desc.GPUDescriptorHandle.ptr += direction * step;
    ComPtr<IDMLBindingTable>& table = tables_[direction];
    Check(gpu_.dml()->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, table.Put()),
          "IDMLDevice::CreateBindingTable");
    const DML_BUFFER_BINDING buffers[] = {Whole(values_[direction], element_bytes_), Whole(indices_, update_bytes_),
                                          Whole(updates_, update_bytes_)};
    const DML_BINDING_DESC inputs[] = {{DML_BINDING_TYPE_BUFFER, &buffers[0]},
                                       {DML_BINDING_TYPE_BUFFER, &buffers[1]},
                                       {DML_BINDING_TYPE_BUFFER, &buffers[2]}};
    table->BindInputs(3, inputs);
    const DML_BUFFER_BINDING output = Whole(values_[1 - direction], element_bytes_);
    const DML_BINDING_DESC outputs[] = {{DML_BINDING_TYPE_BUFFER, &output}};
    table->BindOutputs(1, outputs);
    if (needs.TemporaryResourceSize > 0) {
      const DML_BUFFER_BINDING buffer = Whole(temporary_, needs.TemporaryResourceSize);
      const DML_BINDING_DESC binding = {DML_BINDING_TYPE_BUFFER, &buffer};
      table->BindTemporaryResource(&binding);
    }
    if (persistent_) {
      const DML_BUFFER_BINDING buffer = Whole(persistent_, needs.PersistentResourceSize);
      const DML_BINDING_DESC binding = {DML_BINDING_TYPE_BUFFER, &buffer};
      table->BindPersistentResource(&binding);
    }
  }
}

void Scatter::Run(unsigned count) {
  size_t index = 0;
  for (unsigned first = 0; first < count; first += kDispatchesPerList) {
    if (index == batches_.size()) {
      batches_.push_back(gpu_.CreateCommands());
      Check(batches_.back().list->Close(), "ID3D12GraphicsCommandList::Close");
    }
    const Commands& commands = batches_[index++];
    Check(commands.allocator->Reset(), "ID3D12CommandAllocator::Reset");
    Check(commands.list->Reset(commands.allocator.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
    Record(commands.list.Get(), first, std::min(kDispatchesPerList, count - first));
    Check(commands.list->Close(), "ID3D12GraphicsCommandList::Close");
    gpu_.Submit(commands.list.Get());
  }
  gpu_.Wait();
}

void Scatter::RunInOneList(unsigned count) {
  Record(gpu_.Begin(), 0, count);
  gpu_.Finish();
}

void Scatter::Replay(unsigned count) {
  if (!recorded_.list) {
    recorded_ = gpu_.CreateCommands();
    Record(recorded_.list.Get(), 0, count);
    Check(recorded_.list->Close(), "ID3D12GraphicsCommandList::Close");
  }
  gpu_.Execute(recorded_.list.Get());
}

void Scatter::Record(ID3D12GraphicsCommandList* list, unsigned first, unsigned count) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
  ID3D12DescriptorHeap* const heaps[] = {heap_.Get()};
  list->SetDescriptorHeaps(1, heaps);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) list->ResourceBarrier(1, &barrier);
    gpu_.recorder()->RecordDispatch(list, operator_.Get(), tables_[(first + i) % 2].Get());
  }
}

std::vector<uint32_t> Scatter::Result(unsigned count) {
  return ReadWords(gpu_, values_[count % 2].Get(), element_bytes_);
}

Transfer::Transfer(Gpu& gpu, uint64_t size)
    : gpu_(gpu),
      size_(size),
      buffer_(gpu.CreateBuffer(size, Memory::kDevice)),
      upload_(gpu.CreateBuffer(size, Memory::kUpload, &upload_data_)),
      readback_(gpu.CreateBuffer(size, Memory::kReadback, &readback_data_)) {}

void Transfer::Upload(const void* data) {
  std::memcpy(upload_data_, data, static_cast<size_t>(size_));
  Copy(gpu_, buffer_.Get(), upload_.Get(), size_);
}

std::unique_ptr<uint32_t[]> Transfer::Readback() {
  std::unique_ptr<uint32_t[]> data(new uint32_t[static_cast<size_t>(size_ / 4)]);
  ReadInto(data.get());
  return data;
}

void Transfer::ReadInto(void* data) {
  Copy(gpu_, readback_.Get(), buffer_.Get(), size_);
  std::memcpy(data, readback_data_, static_cast<size_t>(size_));
}

}  // namespace bench
