#include "gpu/device/adapter.h"

#include <algorithm>
#include <cstdio>
#include <cwchar>
#include <mutex>
#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

constexpr GUID kCoreComputeAttribute = {0x248e2800, 0xa793, 0x4724, {0xab, 0xaa, 0x23, 0xa6, 0xde, 0x1b, 0xe0, 0x90}};
constexpr GUID kGenericMlAttribute = {0xb71b0d41, 0x1088, 0x422f, {0xa2, 0x7c, 0x02, 0x50, 0xb7, 0xd3, 0xa9, 0x88}};

bool SameLuid(const LUID& a, const LUID& b) { return a.LowPart == b.LowPart && a.HighPart == b.HighPart; }

bool Contains(const std::vector<Adapter>& adapters, const LUID& luid) {
  return std::any_of(adapters.begin(), adapters.end(),
                     [&](const Adapter& adapter) { return SameLuid(adapter.info.luid, luid); });
}

void AddDxgiAdapter(std::vector<Adapter>& adapters, const ComPtr<IDXGIAdapter1>& dxgi) {
  DXGI_ADAPTER_DESC1 desc = {};
  if (FAILED(dxgi->GetDesc1(&desc)) || Contains(adapters, desc.AdapterLuid)) return;
  Adapter adapter;
  adapter.info.name = ToUtf8(std::wstring(desc.Description, ::wcsnlen(desc.Description, 128)));
  adapter.info.luid = desc.AdapterLuid;
  adapter.info.vendor_id = desc.VendorId;
  adapter.info.device_id = desc.DeviceId;
  adapter.info.dedicated_video_memory = desc.DedicatedVideoMemory;
  adapter.info.dedicated_system_memory = desc.DedicatedSystemMemory;
  adapter.info.shared_system_memory = desc.SharedSystemMemory;
  adapter.info.is_software = (desc.Flags & DXGI_ADAPTER_FLAG_SOFTWARE) != 0;
  adapter.handle = ComPtr<IUnknown>(dxgi.Get());
  adapters.push_back(std::move(adapter));
}

/**
 * Returns a factory that lists the current adapters; null if DXGI creates none. A factory lists the adapters that existed
 * when it was created. Creating one can take as long as creating a device, so it is kept until the adapters change. It is
 * not released when the process ends, because DXGI may be unloaded before static objects are destroyed.
 */
ComPtr<IDXGIFactory1> CurrentFactory(const D3D12Library& library) {
  static std::mutex mutex;
  static IDXGIFactory1* kept = nullptr;
  const std::lock_guard lock(mutex);
  if (kept == nullptr || !kept->IsCurrent()) {
    if (kept != nullptr) std::exchange(kept, nullptr)->Release();
    void* made = nullptr;
    if (SUCCEEDED(library.create_dxgi_factory1(Iid<IDXGIFactory1>::value, &made)))
      kept = static_cast<IDXGIFactory1*>(made);
  }
  return ComPtr<IDXGIFactory1>(kept);
}

void AddDxgiAdapters(std::vector<Adapter>& adapters, const D3D12Library& library, PowerPreference preference) {
  const DXGI_GPU_PREFERENCE order = preference == PowerPreference::LowPower ? DXGI_GPU_PREFERENCE_MINIMUM_POWER
                                                                            : DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE;
  const ComPtr<IDXGIFactory1> factory = CurrentFactory(library);
  if (!factory) return;
  ComPtr<IDXGIAdapter1> adapter;
  if (ComPtr<IDXGIFactory6> factory6 = factory.As<IDXGIFactory6>()) {
    for (UINT i = 0;
         SUCCEEDED(factory6->EnumAdapterByGpuPreference(i, order, Iid<IDXGIAdapter1>::value, adapter.Put())); ++i) {
      AddDxgiAdapter(adapters, adapter);
    }
  }
  for (UINT i = 0; SUCCEEDED(factory->EnumAdapters1(i, adapter.PutTyped())); ++i) {
    AddDxgiAdapter(adapters, adapter);
  }
}

template <typename T>
bool ReadProperty(IDXCoreAdapter* adapter, DXCoreAdapterProperty property, T* value) {
  return adapter->IsPropertySupported(property) && SUCCEEDED(adapter->GetProperty(property, sizeof(T), value));
}

void AddDxCoreAdapter(std::vector<Adapter>& adapters, const ComPtr<IDXCoreAdapter>& core) {
  Adapter adapter;
  if (!ReadProperty(core.Get(), DXCoreAdapterProperty::InstanceLuid, &adapter.info.luid)) return;
  if (Contains(adapters, adapter.info.luid)) return;
  size_t size = 0;
  if (SUCCEEDED(core->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size)) && size > 0) {
    std::string name(size, '\0');
    if (SUCCEEDED(core->GetProperty(DXCoreAdapterProperty::DriverDescription, size, name.data()))) {
      adapter.info.name = name.c_str();
    }
  }
  DXCoreHardwareID id = {};
  if (ReadProperty(core.Get(), DXCoreAdapterProperty::HardwareID, &id)) {
    adapter.info.vendor_id = id.vendorID;
    adapter.info.device_id = id.deviceID;
  }
  ReadProperty(core.Get(), DXCoreAdapterProperty::DedicatedAdapterMemory, &adapter.info.dedicated_video_memory);
  ReadProperty(core.Get(), DXCoreAdapterProperty::DedicatedSystemMemory, &adapter.info.dedicated_system_memory);
  ReadProperty(core.Get(), DXCoreAdapterProperty::SharedSystemMemory, &adapter.info.shared_system_memory);
  bool is_hardware = false;
  ReadProperty(core.Get(), DXCoreAdapterProperty::IsHardware, &is_hardware);
  adapter.info.is_software = !is_hardware;
  adapter.handle = ComPtr<IUnknown>(core.Get());
  adapters.push_back(std::move(adapter));
}

void AddDxCoreAdapters(std::vector<Adapter>& adapters, const D3D12Library& library) {
  if (library.create_dxcore_factory == nullptr) return;
  ComPtr<IDXCoreAdapterFactory> factory;
  if (FAILED(library.create_dxcore_factory(Iid<IDXCoreAdapterFactory>::value, factory.Put()))) return;
  for (const GUID& attribute : {kCoreComputeAttribute, kGenericMlAttribute}) {
    ComPtr<IDXCoreAdapterList> list;
    if (FAILED(factory->CreateAdapterList(1, &attribute, Iid<IDXCoreAdapterList>::value, list.Put()))) continue;
    const uint32_t count = list->GetAdapterCount();
    for (uint32_t i = 0; i < count; ++i) {
      ComPtr<IDXCoreAdapter> adapter;
      if (SUCCEEDED(list->GetAdapter(i, Iid<IDXCoreAdapter>::value, adapter.Put()))) {
        AddDxCoreAdapter(adapters, adapter);
      }
    }
  }
}

}  // namespace

std::vector<Adapter> EnumerateAdapters(const D3D12Library& library, PowerPreference preference) {
  std::vector<Adapter> adapters;
  AddDxgiAdapters(adapters, library, preference);
  AddDxCoreAdapters(adapters, library);
  std::stable_partition(adapters.begin(), adapters.end(),
                        [](const Adapter& adapter) { return !adapter.info.is_software; });
  return adapters;
}

ComPtr<ID3D12Device> CreateD3D12Device(const D3D12Library& library, const Adapter& adapter, HRESULT* result) {
  ComPtr<ID3D12Device> device;
  // GPUs support 11_0, compute-only adapters 1_0_CORE, NPUs 1_0_GENERIC.
  for (const D3D_FEATURE_LEVEL level :
       {D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_1_0_CORE, D3D_FEATURE_LEVEL_1_0_GENERIC}) {
    const HRESULT hr = library.create_device(adapter.handle.Get(), level, Iid<ID3D12Device>::value, device.Put());
    if (SUCCEEDED(hr) && device) return device;
    if (level == D3D_FEATURE_LEVEL_11_0 && result != nullptr) *result = hr;
  }
  return nullptr;
}

int HighestFeatureLevel(ID3D12Device* device) {
  const D3D_FEATURE_LEVEL levels[] = {D3D_FEATURE_LEVEL_1_0_GENERIC, D3D_FEATURE_LEVEL_1_0_CORE, D3D_FEATURE_LEVEL_11_0,
                                      D3D_FEATURE_LEVEL_11_1,        D3D_FEATURE_LEVEL_12_0,     D3D_FEATURE_LEVEL_12_1,
                                      D3D_FEATURE_LEVEL_12_2};
  D3D12_FEATURE_DATA_FEATURE_LEVELS query = {};
  // A runtime fails the query if the list has a level that it does not know. So the list is tried whole, then without
  // the two 1_0 levels, then also without 12_2.
  for (const auto& [first, count] : {std::pair<UINT, UINT>{0, 7}, {2, 5}, {2, 4}}) {
    query.NumFeatureLevels = count;
    query.pFeatureLevelsRequested = levels + first;
    query.MaxSupportedFeatureLevel = static_cast<D3D_FEATURE_LEVEL>(0);
    const HRESULT hr = device->CheckFeatureSupport(D3D12_FEATURE_FEATURE_LEVELS, &query, sizeof(query));
    if (SUCCEEDED(hr) && query.MaxSupportedFeatureLevel != 0) return query.MaxSupportedFeatureLevel;
  }
  return 0;
}

AdapterAndDevice SelectAdapter(const D3D12Library& library, const std::string& luid, PowerPreference preference) {
  const std::vector<Adapter> adapters = EnumerateAdapters(library, preference);
  HRESULT last = DXGI_ERROR_NOT_FOUND;
  size_t tried = 0;
  for (const Adapter& adapter : adapters) {
    if (!luid.empty() && FormatLuid(adapter.info.luid) != luid) continue;
    ++tried;
    if (ComPtr<ID3D12Device> device = CreateD3D12Device(library, adapter, &last)) {
      AdapterInfo info = adapter.info;
      info.feature_level = HighestFeatureLevel(device.Get());
      return {info, adapter.handle, device};
    }
  }
  if (!luid.empty() && tried == 0) {
    throw Failure("ERR_NO_ADAPTER", "there is no adapter with the LUID " + luid).Field("luid");
  }
  if (tried == 0) throw Failure("ERR_NO_ADAPTER", "DXGI lists no adapter");
  const std::string problem = luid.empty()
                                  ? "use none of " + std::to_string(tried) + " adapters; the last attempt gave "
                                  : "not use the adapter with the LUID " + luid + "; the attempt gave ";
  throw Failure("ERR_NO_ADAPTER", "Direct3D 12 can " + problem + HresultName(last)).Call("D3D12CreateDevice", last);
}

std::string FormatLuid(const LUID& luid) {
  char text[24];
  std::snprintf(text, sizeof(text), "%08lx-%08lx", static_cast<unsigned long>(luid.HighPart),
                static_cast<unsigned long>(luid.LowPart));
  return text;
}

std::string FormatFeatureLevel(int level) {
  switch (level) {
    case 0:
      return {};
    case D3D_FEATURE_LEVEL_1_0_GENERIC:
      return "1_0_generic";
    case D3D_FEATURE_LEVEL_1_0_CORE:
      return "1_0_core";
    default:
      return std::to_string((level >> 12) & 15) + "_" + std::to_string((level >> 8) & 15);
  }
}

}  // namespace ndml
