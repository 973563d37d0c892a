/**
 * A Direct3D 12 device with its DirectML device, and information about both. Creating them takes half a second, so
 * `OpenDevice` runs off the JavaScript thread and touches no JavaScript.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "describe/graph_desc.h"
#include "gpu/device/adapter.h"
#include "gpu/device/debug_layer.h"
#include "platform/failure.h"

namespace ndml {

struct DeviceOptions {
  std::string luid;
  PowerPreference power_preference = PowerPreference::HighPerformance;
  std::string directml_path;
  std::string addon_directory;
  bool debug = false;
  /** False for a queue whose work may take longer than Windows' limit. */
  bool has_timeout = true;
  /** In bytes. */
  uint64_t memory_limit = UINT64_MAX;
  /** A device of other code, or one of its queues, to use instead of new ones. Null if there is none. */
  ComPtr<IUnknown> external;
};

struct GpuDevice {
  /** The first member, so that it is destroyed after the device. */
  DeviceLease lease;
  ComPtr<ID3D12Device> d3d12;
  ComPtr<IDMLDevice> dml;
  /** The queue of other code. Null if the device has its own. */
  ComPtr<ID3D12CommandQueue> queue;
  /** See `DeviceOptions`. That of the queue of other code is its own. */
  bool has_timeout = true;
  uint64_t memory_limit = UINT64_MAX;
  /** Null without the debug layer. */
  ComPtr<ID3D12InfoQueue> info_queue;
  AdapterInfo adapter;
  /** See `Adapter`. */
  ComPtr<IUnknown> adapter_handle;
  std::string directml_path;
  std::string directml_version;
  uint32_t feature_level = 0;
  std::vector<uint32_t> tensor_data_types;
};

GpuDevice OpenDevice(const DeviceOptions& options);

struct CompiledDispatchables {
  ComPtr<IDMLCompiledOperator> compiled;
  ComPtr<IDMLOperatorInitializer> initializer;
};

/** Creates and compiles an operator, and its initializer if `with_initializer`. Throws a CallFailure. Any thread. */
CompiledDispatchables Compile(IDMLDevice* dml, const DML_OPERATOR_DESC& desc, DML_EXECUTION_FLAGS flags,
                              bool with_initializer);

/** Like `Compile` for a graph. DirectML copies what it needs, so the description may be freed afterwards. */
CompiledDispatchables CompileGraph(IDMLDevice* dml, const GraphDesc& graph, DML_EXECUTION_FLAGS flags,
                                   bool with_initializer);

ComPtr<IDMLOperatorInitializer> CreateInitializer(IDMLDevice* dml, IDMLCompiledOperator* compiled);

/**
 * Removes the device as a driver reset would. Wine does not implement ID3D12Device5::RemoveDevice; there an invalid
 * binding removes the DirectML device.
 */
void RemoveDevice(const GpuDevice& gpu);

}  // namespace ndml
