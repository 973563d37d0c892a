/**
 * Adapters: what DXGI lists, in order of performance, and the compute-only ones (NPUs) that only DXCore knows.
 * `SelectAdapter` chooses one for a device.
 */
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/d3d12_library.h"
#include "platform/com_ptr.h"

namespace ndml {

struct AdapterInfo {
  std::string name;
  LUID luid = {};
  uint32_t vendor_id = 0;
  uint32_t device_id = 0;
  uint64_t dedicated_video_memory = 0;
  uint64_t dedicated_system_memory = 0;
  uint64_t shared_system_memory = 0;
  bool is_software = false;
  /** A D3D_FEATURE_LEVEL; 0 where Direct3D 12 cannot use the adapter. */
  int feature_level = 0;
};

struct Adapter {
  AdapterInfo info;
  /** An IDXGIAdapter1 or an IDXCoreAdapter: D3D12CreateDevice takes either. */
  ComPtr<IUnknown> handle;
};

struct AdapterAndDevice {
  AdapterInfo info;
  ComPtr<ID3D12Device> device;
};

/** Every adapter, hardware first, without its feature level. */
std::vector<Adapter> EnumerateAdapters(const D3D12Library& library);

/** The lowest feature level that the adapter takes makes the device; null when it takes none. */
ComPtr<ID3D12Device> CreateD3D12Device(const D3D12Library& library, const Adapter& adapter, HRESULT* result);

int HighestFeatureLevel(ID3D12Device* device);

/** `luid` empty: the first hardware adapter that works, else the first software one. */
AdapterAndDevice SelectAdapter(const D3D12Library& library, const std::string& luid);

/** `"00000000-0000c0de"`: high part, low part. */
std::string FormatLuid(const LUID& luid);

/** `"12_1"`; empty for 0. */
std::string FormatFeatureLevel(int level);

}  // namespace ndml
