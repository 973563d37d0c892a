// Replaces three methods of Wine's ID3D12Device in its virtual function table.
#include "bridge.h"

#include <cstddef>

namespace {

// Positions in the virtual function table of ID3D12Device5.
constexpr std::size_t kCreateComputePipelineState = 11;
constexpr std::size_t kCheckFeatureSupport = 13;
constexpr std::size_t kEnumerateMetaCommands = 59;

using CreateComputePipelineState =
    HRESULT(WINAPI*)(ID3D12Device*, const D3D12_COMPUTE_PIPELINE_STATE_DESC*, REFIID, void**);
using CheckFeatureSupport = HRESULT(WINAPI*)(ID3D12Device*, D3D12_FEATURE, void*, UINT);

CreateComputePipelineState wine_create_compute_pipeline_state;
CheckFeatureSupport wine_check_feature_support;

// Wine's is a stub that fails, and DMLCreateDevice1 with it. A device without meta commands is a proper device.
HRESULT WINAPI EnumerateNoMetaCommands(ID3D12Device5*, UINT* count, D3D12_META_COMMAND_DESC*) {
  if (count == nullptr) return E_INVALIDARG;
  *count = 0;
  return S_OK;
}

// Wine says shader model 5.1 and 64-bit integers, and DirectML then picks DXIL shaders, which this vkd3d
// cannot read. Without them DirectML emulates 64 bits.
HRESULT WINAPI CheckFeatureSupportWithoutInt64(ID3D12Device* device, D3D12_FEATURE feature, void* data, UINT size) {
  const HRESULT result = wine_check_feature_support(device, feature, data, size);
  if (SUCCEEDED(result) && feature == D3D12_FEATURE_D3D12_OPTIONS1 &&
      size == sizeof(D3D12_FEATURE_DATA_D3D12_OPTIONS1)) {
    static_cast<D3D12_FEATURE_DATA_D3D12_OPTIONS1*>(data)->Int64ShaderOps = FALSE;
  }
  return result;
}

HRESULT WINAPI CreateReadableComputePipelineState(
    ID3D12Device* device, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid, void** state) {
  if (desc == nullptr || !bridge::IsElementWiseVectorized(desc->CS)) {
    return wine_create_compute_pipeline_state(device, desc, iid, state);
  }
  D3D12_COMPUTE_PIPELINE_STATE_DESC readable = *desc;
  readable.CS = bridge::ElementWiseVectorizedReplacement();
  if (readable.CS.BytecodeLength == 0) return E_FAIL;
  const HRESULT result = wine_create_compute_pipeline_state(device, &readable, iid, state);
  if (SUCCEEDED(result)) bridge::CountReplacement();
  return result;
}

template <typename Function>
Function Exchange(void** table, std::size_t position, Function replacement) {
  void** const entry = table + position;
  const auto previous = reinterpret_cast<Function>(*entry);
  DWORD protection = 0;
  if (VirtualProtect(entry, sizeof *entry, PAGE_READWRITE, &protection)) {
    *entry = reinterpret_cast<void*>(replacement);
    VirtualProtect(entry, sizeof *entry, protection, &protection);
  }
  return previous;
}

SRWLOCK patching = SRWLOCK_INIT;

}  // namespace

namespace bridge {

void PatchDevice(IUnknown* object) {
  ID3D12Device5* device = nullptr;
  if (FAILED(object->QueryInterface(__uuidof(ID3D12Device5), reinterpret_cast<void**>(&device)))) return;
  void** const table = *reinterpret_cast<void***>(device);

  // All devices of the process share the table: patched twice, each replacement would call itself.
  AcquireSRWLockExclusive(&patching);
  if (table[kEnumerateMetaCommands] != reinterpret_cast<void*>(&EnumerateNoMetaCommands)) {
    wine_check_feature_support =
        Exchange<CheckFeatureSupport>(table, kCheckFeatureSupport, &CheckFeatureSupportWithoutInt64);
    wine_create_compute_pipeline_state = Exchange<CreateComputePipelineState>(
        table, kCreateComputePipelineState, &CreateReadableComputePipelineState);
    Exchange(table, kEnumerateMetaCommands, &EnumerateNoMetaCommands);
  }
  ReleaseSRWLockExclusive(&patching);
  device->Release();
}

}  // namespace bridge
