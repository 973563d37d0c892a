/**
 * Adapters: DXGI's in the order of the preference, then the compute-only adapters (NPUs) that only DXCore lists.
 * `SelectAdapter` chooses one for a device.
 */
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/device/d3d12_library.h"
#include "platform/com_ptr.h"

namespace ndml {

/** By which of Windows' orders DXGI lists the adapters. */
enum class PowerPreference { HighPerformance, LowPower };

struct AdapterInfo {
  std::string name;
  LUID luid = {};
  uint32_t vendor_id = 0;
  uint32_t device_id = 0;
  uint64_t dedicated_video_memory = 0;
  uint64_t dedicated_system_memory = 0;
  uint64_t shared_system_memory = 0;
  bool is_software = false;
  /** A D3D_FEATURE_LEVEL; 0 if Direct3D 12 cannot use the adapter. */
  int feature_level = 0;
};

struct Adapter {
  AdapterInfo info;
  /** An IDXGIAdapter1 or an IDXCoreAdapter: D3D12CreateDevice takes either. */
  ComPtr<IUnknown> handle;
};

struct AdapterAndDevice {
  AdapterInfo info;
  ComPtr<IUnknown> handle;
  ComPtr<ID3D12Device> device;
};

/** Returns every adapter, hardware first. Their `feature_level` is not set. */
std::vector<Adapter> EnumerateAdapters(const D3D12Library& library,
                                       PowerPreference preference = PowerPreference::HighPerformance);

/**
 * Creates a device with feature level 11_0, else 1_0_CORE, else 1_0_GENERIC. Returns null if all fail; `*result`, if
 * given, is the result for 11_0.
 */
ComPtr<ID3D12Device> CreateD3D12Device(const D3D12Library& library, const Adapter& adapter, HRESULT* result);

int HighestFeatureLevel(ID3D12Device* device);

/**
 * With an empty `luid`, selects the first hardware adapter that works, in the order of the preference, else the first
 * software adapter. Throws ERR_NO_ADAPTER.
 */
AdapterAndDevice SelectAdapter(const D3D12Library& library, const std::string& luid, PowerPreference preference);

/** Formats high part and low part: `"00000000-0000c0de"`. */
std::string FormatLuid(const LUID& luid);

/** Formats a D3D_FEATURE_LEVEL: `"12_1"`; empty for 0. */
std::string FormatFeatureLevel(int level);

}  // namespace ndml
