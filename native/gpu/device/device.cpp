#include "gpu/device/device.h"

#include <iterator>

#include "describe/graph_structs.h"
#include "gpu/device/deep_stack.h"
#include "gpu/device/directml_library.h"
#include "gpu/memory/descriptor_heap_pool.h"

namespace ndml {

namespace {

constexpr uint32_t kHighestTensorDataType = 13;

/** Every thread's stack has room for DirectML's recursion over a graph with this many nodes. */
constexpr size_t kNodesOnAnyStack = 1024;

ComPtr<IDMLDevice> CreateDmlDevice(const DirectMLLibrary& library, ID3D12Device* device, bool debug) {
  const DML_CREATE_DEVICE_FLAGS flags = debug ? DML_CREATE_DEVICE_FLAG_DEBUG : DML_CREATE_DEVICE_FLAG_NONE;
  ComPtr<IDMLDevice> dml;
  const HRESULT result =
      library.create_device1(device, flags, DML_FEATURE_LEVEL_1_0, Iid<IDMLDevice>::value, dml.Put());
  if (result == DXGI_ERROR_SDK_COMPONENT_MISSING && debug) {
    throw Failure("ERR_NATIVE_CALL",
                  "DirectML's debug layer (DirectML.Debug.dll) is not installed (" + HresultName(result) + ")")
        .Call("DMLCreateDevice1", result);
  }
  ThrowIfFailed(result, "DMLCreateDevice1");
  return dml;
}

uint32_t HighestDmlFeatureLevel(IDMLDevice* dml) {
  const DML_FEATURE_LEVEL levels[] = {DML_FEATURE_LEVEL_1_0, DML_FEATURE_LEVEL_2_0, DML_FEATURE_LEVEL_2_1,
                                      DML_FEATURE_LEVEL_3_0, DML_FEATURE_LEVEL_3_1, DML_FEATURE_LEVEL_4_0,
                                      DML_FEATURE_LEVEL_4_1, DML_FEATURE_LEVEL_5_0, DML_FEATURE_LEVEL_5_1,
                                      DML_FEATURE_LEVEL_5_2, DML_FEATURE_LEVEL_6_0, DML_FEATURE_LEVEL_6_1,
                                      DML_FEATURE_LEVEL_6_2, DML_FEATURE_LEVEL_6_3, DML_FEATURE_LEVEL_6_4};
  const DML_FEATURE_QUERY_FEATURE_LEVELS query = {static_cast<UINT>(std::size(levels)), levels};
  DML_FEATURE_DATA_FEATURE_LEVELS data = {};
  ThrowIfFailed(dml->CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS, sizeof(query), &query, sizeof(data), &data),
                "IDMLDevice::CheckFeatureSupport");
  return static_cast<uint32_t>(data.MaxSupportedFeatureLevel);
}

std::vector<uint32_t> SupportedTensorDataTypes(IDMLDevice* dml) {
  std::vector<uint32_t> types;
  for (uint32_t type = 1; type <= kHighestTensorDataType; ++type) {
    const DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {static_cast<DML_TENSOR_DATA_TYPE>(type)};
    DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT data = {};
    // An older DLL fails the query for types that it does not know.
    const HRESULT result =
        dml->CheckFeatureSupport(DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT, sizeof(query), &query, sizeof(data), &data);
    if (SUCCEEDED(result) && data.IsSupported) types.push_back(type);
  }
  return types;
}

ComPtr<IDMLOperator> CreateOperator(IDMLDevice* dml, const DML_OPERATOR_DESC& desc) {
  ComPtr<IDMLOperator> op;
  ThrowIfFailed(dml->CreateOperator(&desc, Iid<IDMLOperator>::value, op.Put()), "IDMLDevice::CreateOperator");
  return op;
}

/** Compiles on the calling thread's stack. */
CompiledDispatchables CompileGraphHere(IDMLDevice* dml, const GraphDesc& graph, DML_EXECUTION_FLAGS flags,
                                       bool with_initializer) {
  ComPtr<IDMLDevice1> device;
  ThrowIfFailed(dml->QueryInterface(Iid<IDMLDevice1>::value, device.Put()), "IDMLDevice::QueryInterface(IDMLDevice1)");
  GraphStructs structs(graph);
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    try {
      structs.operators.push_back(CreateOperator(dml, graph.operators[i].dml));
    } catch (Failure& failure) {
      failure.Field("operators[" + std::to_string(i) + "]");
      throw;
    }
  }
  const DML_GRAPH_DESC desc = structs.Describe();
  CompiledDispatchables result;
  ThrowIfFailed(device->CompileGraph(&desc, flags, Iid<IDMLCompiledOperator>::value, result.compiled.Put()),
                "IDMLDevice1::CompileGraph");
  if (with_initializer) result.initializer = CreateInitializer(dml, result.compiled.Get());
  return result;
}

/** Sets the device, its adapter and, if other code has given it, the queue. */
void AdoptDevice(const D3D12Library& library, const ComPtr<IUnknown>& external, GpuDevice* device) {
  const auto refuse = [](const std::string& problem) {
    return Failure("ERR_NOT_SHAREABLE", "external: expected an ID3D12Device, or a direct or compute queue, given " +
                                            problem + "; pass the device or the queue itself")
        .Field("external");
  };
  device->queue = external.As<ID3D12CommandQueue>();
  if (device->queue) {
    const D3D12_COMMAND_QUEUE_DESC desc = QueueDesc(device->queue.Get());
    const D3D12_COMMAND_LIST_TYPE type = desc.Type;
    if (type != D3D12_COMMAND_LIST_TYPE_DIRECT && type != D3D12_COMMAND_LIST_TYPE_COMPUTE) {
      throw refuse("a queue of another type");
    }
    const bool has_timeout = (desc.Flags & D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT) == 0;
    if (has_timeout && !device->has_timeout) {
      throw Failure(
          "ERR_INVALID_ARGUMENT",
          "gpuTimeout: expected true or nothing for this external queue, which has the time limit, given false; "
          "create the queue with D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT")
          .Field("gpuTimeout");
    }
    device->has_timeout = has_timeout;
    ThrowIfFailed(device->queue->GetDevice(Iid<ID3D12Device>::value, device->d3d12.Put()),
                  "ID3D12DeviceChild::GetDevice");
  } else {
    device->d3d12 = external.As<ID3D12Device>();
  }
  if (!device->d3d12) throw refuse("an object of another kind");
  const std::string luid = FormatLuid(AdapterLuid(device->d3d12.Get()));
  for (Adapter& adapter : EnumerateAdapters(library)) {
    if (FormatLuid(adapter.info.luid) != luid) continue;
    device->adapter = std::move(adapter.info);
    device->adapter_handle = std::move(adapter.handle);
  }
  device->adapter.luid = AdapterLuid(device->d3d12.Get());
  device->adapter.feature_level = HighestFeatureLevel(device->d3d12.Get());
}

void CreateOwnDevice(const D3D12Library& library, const DeviceOptions& options, GpuDevice* device) {
  AdapterAndDevice selected = SelectAdapter(library, options.luid, options.power_preference);
  device->adapter = std::move(selected.info);
  device->adapter_handle = std::move(selected.handle);
  device->d3d12 = std::move(selected.device);
}

}  // namespace

GpuDevice OpenDevice(const DeviceOptions& options) {
  // Direct3D first: DirectML.dll imports d3d12.dll, and gets the one that is loaded.
  const D3D12Library d3d12 = LoadD3D12();
  const DirectMLLibrary directml = LoadDirectML(options.directml_path, options.addon_directory);
  GpuDevice device;
  device.lease = DeviceLease::Take(d3d12, options.debug);
  device.has_timeout = options.has_timeout;
  device.memory_limit = options.memory_limit;
  if (options.external) {
    AdoptDevice(d3d12, options.external, &device);
  } else {
    CreateOwnDevice(d3d12, options, &device);
  }
  device.dml = CreateDmlDevice(directml, device.d3d12.Get(), options.debug);
  // Used even without the debug option: if another device turned the layer on, this device's messages go to the same queue.
  device.info_queue = device.d3d12.As<ID3D12InfoQueue>();
  device.directml_path = directml.path;
  device.directml_version = directml.version;
  device.feature_level = HighestDmlFeatureLevel(device.dml.Get());
  device.tensor_data_types = SupportedTensorDataTypes(device.dml.Get());
  return device;
}

CompiledDispatchables Compile(IDMLDevice* dml, const DML_OPERATOR_DESC& desc, DML_EXECUTION_FLAGS flags,
                              bool with_initializer) {
  const ComPtr<IDMLOperator> op = CreateOperator(dml, desc);
  CompiledDispatchables result;
  ThrowIfFailed(dml->CompileOperator(op.Get(), flags, Iid<IDMLCompiledOperator>::value, result.compiled.Put()),
                "IDMLDevice::CompileOperator");
  if (with_initializer) result.initializer = CreateInitializer(dml, result.compiled.Get());
  return result;
}

CompiledDispatchables CompileGraph(IDMLDevice* dml, const GraphDesc& graph, DML_EXECUTION_FLAGS flags,
                                   bool with_initializer) {
  const auto compile = [&] { return CompileGraphHere(dml, graph, flags, with_initializer); };
  if (graph.nodes.size() <= kNodesOnAnyStack) return compile();
  CompiledDispatchables result;
  RunOnDeepStack([&] { result = compile(); });
  return result;
}

ComPtr<IDMLOperatorInitializer> CreateInitializer(IDMLDevice* dml, IDMLCompiledOperator* compiled) {
  IDMLCompiledOperator* const operators[] = {compiled};
  ComPtr<IDMLOperatorInitializer> initializer;
  ThrowIfFailed(dml->CreateOperatorInitializer(1, operators, Iid<IDMLOperatorInitializer>::value, initializer.Put()),
                "IDMLDevice::CreateOperatorInitializer");
  return initializer;
}

void RemoveDevice(const GpuDevice& gpu) {
  if (const ComPtr<ID3D12Device5> device = gpu.d3d12.As<ID3D12Device5>()) device->RemoveDevice();
  if (FAILED(gpu.d3d12->GetDeviceRemovedReason())) return;
  const UINT sizes[] = {1, 1, 1, 1};
  DML_BUFFER_TENSOR_DESC buffer = {};
  buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  buffer.DimensionCount = static_cast<UINT>(std::size(sizes));
  buffer.Sizes = sizes;
  buffer.TotalTensorSizeInBytes = sizeof(float);
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC identity = {&tensor, &tensor, nullptr};
  const CompiledDispatchables op =
      Compile(gpu.dml.Get(), {DML_OPERATOR_ELEMENT_WISE_IDENTITY, &identity}, DML_EXECUTION_FLAG_NONE, false);
  const UINT count = BindingProperties(op.compiled.Get()).RequiredDescriptorCount;
  const DescriptorHeap heap = CreateDescriptorHeap(gpu.d3d12.Get(), count);
  const DML_BINDING_TABLE_DESC desc = {op.compiled.Get(), heap.cpu, heap.gpu, count};
  ComPtr<IDMLBindingTable> table;
  ThrowIfFailed(gpu.dml->CreateBindingTable(&desc, Iid<IDMLBindingTable>::value, table.Put()),
                "IDMLDevice::CreateBindingTable");
  const DML_BINDING_DESC none[] = {{DML_BINDING_TYPE_NONE, nullptr}, {DML_BINDING_TYPE_NONE, nullptr}};
  table->BindInputs(static_cast<UINT>(std::size(none)), none);
}

}  // namespace ndml
