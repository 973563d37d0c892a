/**
 * Direct3D 12 and DXGI, loaded when first needed instead of linked. Without d3d12.dll the addon still loads, and
 * reports what is missing.
 */
#pragma once

#include "platform/compat.h"

namespace ndml {

struct D3D12Library {
  decltype(&::D3D12CreateDevice) create_device = nullptr;
  decltype(&::D3D12GetDebugInterface) get_debug_interface = nullptr;
  HRESULT(WINAPI* create_dxgi_factory1)(REFIID, void**) = nullptr;
  /** Null before Windows 10 2004. */
  HRESULT(WINAPI* create_dxcore_factory)(REFIID, void**) = nullptr;
};

/** Throws ERR_NO_ADAPTER if the system does not have Direct3D 12. */
D3D12Library LoadD3D12();

}  // namespace ndml
