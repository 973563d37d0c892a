#include "gpu.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace bench {

using ndml::Iid;

namespace {

constexpr D3D12_COMMAND_LIST_TYPE kType = D3D12_COMMAND_LIST_TYPE_COMPUTE;

/** A function of a DLL, which is loaded here and not with the program, so that the time of opening a device has all parts. */
template <typename Function>
Function Loaded(const wchar_t* library, const char* name) {
  const HMODULE module = ::LoadLibraryW(library);
  if (module == nullptr) throw std::runtime_error(std::string("cannot load the DLL with ") + name);
  const auto function = ndml::Procedure<Function>(module, name);
  if (function == nullptr) throw std::runtime_error(std::string("the DLL lacks ") + name);
  return function;
}

using CreateDmlDevice = HRESULT(WINAPI*)(ID3D12Device*, DML_CREATE_DEVICE_FLAGS, DML_FEATURE_LEVEL, REFIID, void**);

std::wstring Wide(const std::string& utf8) {
  const int length = static_cast<int>(utf8.size());
  std::wstring wide(static_cast<size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

ComPtr<IDXGIAdapter1> FindAdapter(const std::string& text) {
  const size_t dash = text.find('-');
  if (dash == std::string::npos) throw std::runtime_error("an adapter is named <high>-<low>, not " + text);
  LUID luid = {};
  luid.HighPart = static_cast<LONG>(std::stoul(text.substr(0, dash), nullptr, 16));
  luid.LowPart = static_cast<DWORD>(std::stoul(text.substr(dash + 1), nullptr, 16));
  ComPtr<IDXGIFactory4> factory;
  const auto create = Loaded<decltype(&::CreateDXGIFactory1)>(L"dxgi.dll", "CreateDXGIFactory1");
  Check(create(Iid<IDXGIFactory4>::value, factory.Put()), "CreateDXGIFactory1");
  ComPtr<IDXGIAdapter1> adapter;
  Check(factory->EnumAdapterByLuid(luid, Iid<IDXGIAdapter1>::value, adapter.Put()), "IDXGIFactory4::EnumAdapterByLuid");
  return adapter;
}

ComPtr<IDMLDevice> CreateDml(const std::string& path, ID3D12Device* device) {
  const HMODULE library = ::LoadLibraryExW(Wide(path).c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
  if (library == nullptr) throw std::runtime_error("cannot load " + path);
  const auto create = ndml::Procedure<CreateDmlDevice>(library, "DMLCreateDevice1");
  if (create == nullptr) throw std::runtime_error(path + " exports no DMLCreateDevice1");
  ComPtr<IDMLDevice> dml;
  Check(create(device, DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_4_1, Iid<IDMLDevice>::value, dml.Put()),
        "DMLCreateDevice1");
  return dml;
}

}  // namespace

DML_BUFFER_TENSOR_DESC Tensor(DML_TENSOR_DATA_TYPE type, const UINT (&sizes)[2]) {
  DML_BUFFER_TENSOR_DESC desc = {};
  desc.DataType = type;
  desc.DimensionCount = 2;
  desc.Sizes = sizes;
  desc.TotalTensorSizeInBytes = uint64_t{4} * sizes[0] * sizes[1];
  return desc;
}

void Check(HRESULT result, const char* call) {
  if (SUCCEEDED(result)) return;
  char code[16];
  std::snprintf(code, sizeof code, "0x%08lX", static_cast<unsigned long>(result));
  throw std::runtime_error(std::string(call) + " failed with " + code);
}

D3D12_RESOURCE_BARRIER Transition(ID3D12Resource* resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
  return barrier;
}

DML_BINDING_DESC Bound(const DML_BUFFER_BINDING& buffer) {
  if (buffer.Buffer == nullptr) return {DML_BINDING_TYPE_NONE, nullptr};
  return {DML_BINDING_TYPE_BUFFER, &buffer};
}

Gpu::Gpu(const std::string& directml_path, const std::string& adapter_luid)
    : finished_(::CreateEventW(nullptr, FALSE, FALSE, nullptr)) {
  if (finished_.Get() == nullptr) throw std::runtime_error("CreateEventW failed");
  const auto create = Loaded<PFN_D3D12_CREATE_DEVICE>(L"d3d12.dll", "D3D12CreateDevice");
  const ComPtr<IDXGIAdapter1> adapter = FindAdapter(adapter_luid);
  Check(create(adapter.Get(), D3D_FEATURE_LEVEL_11_0, Iid<ID3D12Device>::value, device_.Put()), "D3D12CreateDevice");
  dml_ = CreateDml(directml_path, device_.Get());
  Check(dml_->CreateCommandRecorder(Iid<IDMLCommandRecorder>::value, recorder_.Put()),
        "IDMLDevice::CreateCommandRecorder");
  D3D12_COMMAND_QUEUE_DESC desc = {};
  desc.Type = kType;
  Check(device_->CreateCommandQueue(&desc, Iid<ID3D12CommandQueue>::value, queue_.Put()),
        "ID3D12Device::CreateCommandQueue");
  commands_ = CreateCommands();
  Check(commands_.list->Close(), "ID3D12GraphicsCommandList::Close");
  Check(device_->CreateFence(0, D3D12_FENCE_FLAG_NONE, Iid<ID3D12Fence>::value, fence_.Put()),
        "ID3D12Device::CreateFence");
}

ComPtr<ID3D12Resource> Gpu::CreateBuffer(uint64_t size, Memory memory, void** mapped) {
  D3D12_HEAP_PROPERTIES heap = {};
  heap.Type = memory == Memory::kDevice   ? D3D12_HEAP_TYPE_DEFAULT
              : memory == Memory::kUpload ? D3D12_HEAP_TYPE_UPLOAD
                                          : D3D12_HEAP_TYPE_READBACK;
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = size;
  desc.Height = 1;
  desc.DepthOrArraySize = 1;
  desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (memory == Memory::kDevice) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  const D3D12_RESOURCE_STATES state = memory == Memory::kDevice   ? D3D12_RESOURCE_STATE_COMMON
                                      : memory == Memory::kUpload ? D3D12_RESOURCE_STATE_GENERIC_READ
                                                                  : D3D12_RESOURCE_STATE_COPY_DEST;
  ComPtr<ID3D12Resource> buffer;
  Check(device_->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr, Iid<ID3D12Resource>::value,
                                         buffer.Put()),
        "ID3D12Device::CreateCommittedResource");
  if (mapped != nullptr) Check(buffer->Map(0, nullptr, mapped), "ID3D12Resource::Map");
  return buffer;
}

ComPtr<ID3D12DescriptorHeap> Gpu::CreateDescriptorHeap(UINT descriptors) {
  D3D12_DESCRIPTOR_HEAP_DESC desc = {};
  desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  desc.NumDescriptors = std::max(1u, descriptors);
  desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
  ComPtr<ID3D12DescriptorHeap> heap;
  Check(device_->CreateDescriptorHeap(&desc, Iid<ID3D12DescriptorHeap>::value, heap.Put()),
        "ID3D12Device::CreateDescriptorHeap");
  return heap;
}

ComPtr<IDMLBindingTable> Gpu::CreateBindingTable(IDMLDispatchable* dispatchable, ID3D12DescriptorHeap* heap, UINT first,
                                                 ID3D12Resource* temporary) {
  const DML_BINDING_PROPERTIES needs = ndml::BindingProperties(dispatchable);
  const UINT start = first * device_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  DML_BINDING_TABLE_DESC desc = {dispatchable, ndml::CpuHeapStart(heap), ndml::GpuHeapStart(heap),
                                 needs.RequiredDescriptorCount};
  desc.CPUDescriptorHandle.ptr += start;
  desc.GPUDescriptorHandle.ptr += start;
  ComPtr<IDMLBindingTable> table;
  Check(dml_->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, table.Put()), "IDMLDevice::CreateBindingTable");
  if (needs.TemporaryResourceSize > 0) {
    const DML_BUFFER_BINDING buffer = {temporary, 0, needs.TemporaryResourceSize};
    const DML_BINDING_DESC binding = Bound(buffer);
    table->BindTemporaryResource(&binding);
  }
  return table;
}

Commands Gpu::CreateCommands() {
  Commands commands;
  Check(device_->CreateCommandAllocator(kType, Iid<ID3D12CommandAllocator>::value, commands.allocator.Put()),
        "ID3D12Device::CreateCommandAllocator");
  Check(device_->CreateCommandList(0, kType, commands.allocator.Get(), nullptr, Iid<ID3D12GraphicsCommandList>::value,
                                   commands.list.Put()),
        "ID3D12Device::CreateCommandList");
  return commands;
}

ID3D12GraphicsCommandList* Gpu::Begin() {
  Check(commands_.allocator->Reset(), "ID3D12CommandAllocator::Reset");
  Check(commands_.list->Reset(commands_.allocator.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
  return commands_.list.Get();
}

void Gpu::Finish() {
  Check(commands_.list->Close(), "ID3D12GraphicsCommandList::Close");
  Execute(commands_.list.Get());
}

void Gpu::Execute(ID3D12CommandList* list) {
  Submit(list);
  Wait();
}

void Gpu::Submit(ID3D12CommandList* list) {
  queue_->ExecuteCommandLists(1, &list);
  Check(queue_->Signal(fence_.Get(), ++fence_value_), "ID3D12CommandQueue::Signal");
}

void Gpu::Wait() {
  if (fence_->GetCompletedValue() < fence_value_) {
    Check(fence_->SetEventOnCompletion(fence_value_, finished_.Get()), "ID3D12Fence::SetEventOnCompletion");
    ::WaitForSingleObject(finished_.Get(), INFINITE);
  }
  Check(device_->GetDeviceRemovedReason(), "the device was removed: ID3D12Device");
  Check(dml_->GetDeviceRemovedReason(), "the device was removed: IDMLDevice");
}

}  // namespace bench
