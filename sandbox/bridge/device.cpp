// Replaces methods of Wine's ID3D12Device, and one method of its command lists, in their virtual function tables.
#include "bridge.h"

#include <cstddef>
#include <set>

namespace {

// Positions in the virtual function table of ID3D12Device5.
constexpr std::size_t kRelease = 2;
constexpr std::size_t kCreateComputePipelineState = 11;
constexpr std::size_t kCreateCommandList = 12;
constexpr std::size_t kCheckFeatureSupport = 13;
constexpr std::size_t kEnumerateMetaCommands = 59;
// And of ID3D12GraphicsCommandList.
constexpr std::size_t kSetPipelineState = 25;

// Identifies the private data that marks the pipelines with our shader.
constexpr GUID kReplaced = {0x9f1f0b52, 0x6d1c, 0x4f0e, {0x9a, 0x37, 0x52, 0xf1, 0xa6, 0xcb, 0x0a, 0x20}};

using Release = ULONG(WINAPI*)(IUnknown*);
using CreateComputePipelineState = HRESULT(WINAPI*)(ID3D12Device*, const D3D12_COMPUTE_PIPELINE_STATE_DESC*, REFIID,
                                                    void**);
using CreateCommandList = HRESULT(WINAPI*)(ID3D12Device*, UINT, D3D12_COMMAND_LIST_TYPE, ID3D12CommandAllocator*,
                                           ID3D12PipelineState*, REFIID, void**);
using SetPipelineState = void(WINAPI*)(ID3D12GraphicsCommandList*, ID3D12PipelineState*);
using CheckFeatureSupport = HRESULT(WINAPI*)(ID3D12Device*, D3D12_FEATURE, void*, UINT);

using EnumerateMetaCommands = HRESULT(WINAPI*)(ID3D12Device5*, UINT*, D3D12_META_COMMAND_DESC*);

Release wine_release;
CreateComputePipelineState wine_create_compute_pipeline_state;
CreateCommandList wine_create_command_list;
CheckFeatureSupport wine_check_feature_support;
SetPipelineState wine_set_pipeline_state;
EnumerateMetaCommands wine_enumerate_meta_commands;

// The devices that FindDevice finds. Used only in a VulkanDeviceTurn.
std::set<IUnknown*> devices;

// Any release may be the last one, which destroys the Vulkan device. Objects that hold the device, such as buffers,
// also release it through the table.
ULONG WINAPI ReleaseInTurn(IUnknown* device) {
  const bridge::VulkanDeviceTurn turn;
  const ULONG references = wine_release(device);
  if (references == 0) devices.erase(device);
  return references;
}

// Wine's method is a stub that fails, which makes DMLCreateDevice1 fail. A device may have no meta commands.
HRESULT WINAPI EnumerateNoMetaCommands(ID3D12Device5*, UINT* count, D3D12_META_COMMAND_DESC*) {
  if (count == nullptr) return E_INVALIDARG;
  *count = 0;
  return S_OK;
}

// Wine reports shader model 5.1 and 64-bit integers. DirectML then picks DXIL shaders, which this vkd3d cannot read.
// Without 64-bit integers in shaders, DirectML emulates them.
HRESULT WINAPI CheckFeatureSupportWithoutInt64(ID3D12Device* device, D3D12_FEATURE feature, void* data, UINT size) {
  const HRESULT result = wine_check_feature_support(device, feature, data, size);
  if (SUCCEEDED(result) && feature == D3D12_FEATURE_D3D12_OPTIONS1 &&
      size == sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS1)) {
    static_cast<D3D12_FEATURE_DATA_D3D12_OPTIONS1*>(data)->Int64ShaderOps = FALSE;
  }
  return result;
}

HRESULT WINAPI CreateReadableComputePipelineState(ID3D12Device* device, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc,
                                                  REFIID iid, void** state) {
  if (desc == nullptr || !bridge::IsElementWiseVectorized(desc->CS)) {
    return wine_create_compute_pipeline_state(device, desc, iid, state);
  }
  D3D12_COMPUTE_PIPELINE_STATE_DESC readable = *desc;
  readable.CS = bridge::ElementWiseVectorizedReplacement();
  if (readable.CS.BytecodeLength == 0) return E_FAIL;
  const HRESULT result = wine_create_compute_pipeline_state(device, &readable, iid, state);
  if (SUCCEEDED(result) && state != nullptr) {
    const BYTE replaced = 1;
    static_cast<ID3D12PipelineState*>(*state)->SetPrivateData(kReplaced, sizeof replaced, &replaced);
  }
  return result;
}

// Counts the uses of a pipeline, not its creation, because DirectML keeps its pipelines and uses them many times.
void WINAPI SetCountedPipelineState(ID3D12GraphicsCommandList* list, ID3D12PipelineState* state) {
  BYTE replaced = 0;
  UINT size = sizeof replaced;
  if (state != nullptr && SUCCEEDED(state->GetPrivateData(kReplaced, &size, &replaced)) && size == sizeof replaced) {
    bridge::CountReplacement();
  }
  wine_set_pipeline_state(list, state);
}

SRWLOCK patching = SRWLOCK_INIT;

// Not a slim lock, for two reasons: creating a device may release one on the same thread, and an ending process,
// whose other threads are killed, must not wait for a lock that they held.
struct TurnSection : CRITICAL_SECTION {
  TurnSection() { InitializeCriticalSection(this); }
} turn_section;

void PatchCommandList(IUnknown* object, ID3D12CommandAllocator* allocator) {
  ID3D12GraphicsCommandList* list = nullptr;
  if (FAILED(object->QueryInterface(__uuidof(ID3D12GraphicsCommandList), reinterpret_cast<void**>(&list)))) return;
  void** const table = *reinterpret_cast<void***>(list);
  AcquireSRWLockExclusive(&patching);
  if (table[kSetPipelineState] != reinterpret_cast<void*>(&SetCountedPipelineState)) {
    bridge::Replace(table, kSetPipelineState, &SetCountedPipelineState, &wine_set_pipeline_state);
    bridge::PatchRecording(table);
  }
  ReleaseSRWLockExclusive(&patching);
  bridge::PatchListExecution(list, allocator);
  list->Release();
}

HRESULT WINAPI CreatePatchedCommandList(ID3D12Device* device, UINT nodes, D3D12_COMMAND_LIST_TYPE type,
                                        ID3D12CommandAllocator* allocator, ID3D12PipelineState* state, REFIID iid,
                                        void** list) {
  const HRESULT result = wine_create_command_list(device, nodes, type, allocator, state, iid, list);
  if (SUCCEEDED(result) && list != nullptr && *list != nullptr) {
    PatchCommandList(static_cast<IUnknown*>(*list), allocator);
  }
  return result;
}

}  // namespace

namespace bridge {

VulkanDeviceTurn::VulkanDeviceTurn() { EnterCriticalSection(&turn_section); }

VulkanDeviceTurn::~VulkanDeviceTurn() { LeaveCriticalSection(&turn_section); }

IUnknown* FindDevice(IUnknown* adapter) {
  IDXGIAdapter* dxgi = nullptr;
  DXGI_ADAPTER_DESC desc = {};
  if (adapter == nullptr || FAILED(adapter->QueryInterface(__uuidof(IDXGIAdapter), reinterpret_cast<void**>(&dxgi)))) {
    return nullptr;
  }
  const HRESULT described = dxgi->GetDesc(&desc);
  dxgi->Release();
  if (FAILED(described)) return nullptr;
  for (IUnknown* device : devices) {
    LUID luid = {};
    static_cast<ID3D12Device*>(device)->GetAdapterLuid(&luid);
    if (luid.LowPart == desc.AdapterLuid.LowPart && luid.HighPart == desc.AdapterLuid.HighPart) return device;
  }
  return nullptr;
}

void RememberDevice(IUnknown* object) {
  ID3D12Device* device = nullptr;
  if (FAILED(object->QueryInterface(__uuidof(ID3D12Device), reinterpret_cast<void**>(&device)))) return;
  devices.insert(device);
  device->Release();
}

void PatchDevice(IUnknown* object) {
  ID3D12Device5* device = nullptr;
  if (FAILED(object->QueryInterface(__uuidof(ID3D12Device5), reinterpret_cast<void**>(&device)))) return;
  void** const table = *reinterpret_cast<void***>(device);

  // All devices of the process share the table. If it were patched twice, each replacement would call itself.
  AcquireSRWLockExclusive(&patching);
  const bool is_first = table[kEnumerateMetaCommands] != reinterpret_cast<void*>(&EnumerateNoMetaCommands);
  if (is_first) {
    Replace(table, kRelease, &ReleaseInTurn, &wine_release);
    Replace(table, kCheckFeatureSupport, &CheckFeatureSupportWithoutInt64, &wine_check_feature_support);
    Replace(table, kCreateComputePipelineState, &CreateReadableComputePipelineState,
            &wine_create_compute_pipeline_state);
    Replace(table, kCreateCommandList, &CreatePatchedCommandList, &wine_create_command_list);
    Replace(table, kEnumerateMetaCommands, &EnumerateNoMetaCommands, &wine_enumerate_meta_commands);
    PatchSharing(table);
  }
  ReleaseSRWLockExclusive(&patching);
  if (is_first) PatchDeviceExecution(device, table);
  device->Release();
}

}  // namespace bridge
