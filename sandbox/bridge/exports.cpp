// The d3d12.dll that DirectML sees. Every export calls Wine's own d3d12.dll, which the sandbox keeps beside this one as
// d3d12_wine.dll. D3D12CreateDevice also patches the new device.
#include "bridge.h"

namespace {

FARPROC WineExport(const char* name) {
  static const HMODULE wine = LoadLibraryW(L"C:\\windows\\system32\\d3d12_wine.dll");
  return wine == nullptr ? nullptr : GetProcAddress(wine, name);
}

template <typename... Parameters>
HRESULT Forward(const char* name, Parameters... parameters) {
  using Function = HRESULT(WINAPI*)(Parameters...);
  const auto function = reinterpret_cast<Function>(WineExport(name));
  return function == nullptr ? E_NOTIMPL : function(parameters...);
}

}  // namespace

extern "C" {

HRESULT WINAPI D3D12CreateDevice(IUnknown* adapter, D3D_FEATURE_LEVEL level, REFIID iid, void** device) {
  const bridge::VulkanDeviceTurn turn;
  // As on Windows, a process has one device for each adapter. Without an adapter it gets another one, so that a test can pretend
  // that there are two adapters.
  IUnknown* const existing = bridge::FindDevice(adapter);
  if (existing != nullptr && device != nullptr) return existing->QueryInterface(iid, device);
  const HRESULT result =
      Forward<IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**>("D3D12CreateDevice", adapter, level, iid, device);
  if (SUCCEEDED(result) && device != nullptr && *device != nullptr) {
    bridge::PatchDevice(static_cast<IUnknown*>(*device));
    if (adapter != nullptr) bridge::RememberDevice(static_cast<IUnknown*>(*device));
  }
  return result;
}

HRESULT WINAPI D3D12GetDebugInterface(REFIID iid, void** debug) {
  return Forward<REFIID, void**>("D3D12GetDebugInterface", iid, debug);
}

HRESULT WINAPI D3D12CreateRootSignatureDeserializer(LPCVOID data, SIZE_T size, REFIID iid, void** result) {
  return Forward<LPCVOID, SIZE_T, REFIID, void**>("D3D12CreateRootSignatureDeserializer", data, size, iid, result);
}

HRESULT WINAPI D3D12CreateVersionedRootSignatureDeserializer(LPCVOID data, SIZE_T size, REFIID iid, void** result) {
  return Forward<LPCVOID, SIZE_T, REFIID, void**>("D3D12CreateVersionedRootSignatureDeserializer", data, size, iid,
                                                  result);
}

HRESULT WINAPI D3D12EnableExperimentalFeatures(UINT count, const IID* iids, void* structs, UINT* sizes) {
  return Forward<UINT, const IID*, void*, UINT*>("D3D12EnableExperimentalFeatures", count, iids, structs, sizes);
}

HRESULT WINAPI D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC* desc, D3D_ROOT_SIGNATURE_VERSION version,
                                           ID3DBlob** blob, ID3DBlob** error) {
  return Forward<const D3D12_ROOT_SIGNATURE_DESC*, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob**, ID3DBlob**>(
      "D3D12SerializeRootSignature", desc, version, blob, error);
}

HRESULT WINAPI D3D12SerializeVersionedRootSignature(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC* desc, ID3DBlob** blob,
                                                    ID3DBlob** error) {
  return Forward<const D3D12_VERSIONED_ROOT_SIGNATURE_DESC*, ID3DBlob**, ID3DBlob**>(
      "D3D12SerializeVersionedRootSignature", desc, blob, error);
}

// Wine has only stubs of these, too, and DirectML does not call them. Their parameters are not documented.
HRESULT WINAPI GetBehaviorValue() { return E_NOTIMPL; }
HRESULT WINAPI D3D12CoreCreateLayeredDevice() { return E_NOTIMPL; }
SIZE_T WINAPI D3D12CoreGetLayeredDeviceSize() { return 0; }
HRESULT WINAPI D3D12CoreRegisterLayers() { return E_NOTIMPL; }

}  // extern "C"
