#include "gpu/device/d3d12_library.h"

#include "platform/failure.h"

namespace ndml {

namespace {

/**
 * Loads a DLL from System32. If the process has already loaded a DLL of that name, returns that one, which DirectML.dll
 * imports as well.
 */
HMODULE Load(const wchar_t* name) { return ::LoadLibraryExW(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32); }

HMODULE LoadRequired(const wchar_t* name) {
  if (HMODULE library = Load(name)) return library;
  const HRESULT result = HRESULT_FROM_WIN32(::GetLastError());
  throw Failure("ERR_NO_ADAPTER", ToUtf8(name) + " could not be loaded (" + HresultName(result) +
                                      "); DirectML needs Windows 10 1903 or later with Direct3D 12")
      .Call("LoadLibraryExW", result);
}

}  // namespace

// The libraries stay loaded until the process ends, because drivers have threads that outlive every device.
D3D12Library LoadD3D12() {
  const HMODULE d3d12 = LoadRequired(L"d3d12.dll");
  const HMODULE dxgi = LoadRequired(L"dxgi.dll");
  D3D12Library library;
  library.create_device = Procedure<decltype(library.create_device)>(d3d12, "D3D12CreateDevice");
  library.get_debug_interface = Procedure<decltype(library.get_debug_interface)>(d3d12, "D3D12GetDebugInterface");
  library.create_dxgi_factory1 = Procedure<decltype(library.create_dxgi_factory1)>(dxgi, "CreateDXGIFactory1");
  if (library.create_device == nullptr || library.create_dxgi_factory1 == nullptr) {
    throw Failure("ERR_NO_ADAPTER", "d3d12.dll or dxgi.dll lacks an export that DirectML needs");
  }
  if (const HMODULE dxcore = Load(L"dxcore.dll")) {
    library.create_dxcore_factory =
        Procedure<decltype(library.create_dxcore_factory)>(dxcore, "DXCoreCreateAdapterFactory");
  }
  return library;
}

}  // namespace ndml
