/** The addon's functions. addon.ts describes them. */
#include <napi.h>
#include <node_directml.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "gpu.h"
#include "handles.h"

namespace interop {

namespace {

/** The queues of an environment, by device. */
using Queues = std::map<ID3D12Device*, Queue>;

}  // namespace

ComPtr<IUnknown> ObjectOf(const Napi::Value& value) {
  const node_directml_buffer* buffer = nullptr;
  if (node_directml_get_buffer(value.Env(), value, &buffer) == napi_ok) {
    return ComPtr<IUnknown>(reinterpret_cast<IUnknown*>(buffer->resource));
  }
  IUnknown* object = nullptr;
  if (node_directml_get_com_object(value.Env(), value, &object) != napi_ok) throw std::runtime_error("no COM object");
  return ComPtr<IUnknown>(object);
}

namespace {

template <typename T>
ComPtr<T> As(const Napi::Value& value) {
  ComPtr<T> object = ObjectOf(value).As<T>();
  if (!object) throw std::runtime_error("the COM object has another interface");
  return object;
}

ComPtr<ID3D12Device> DeviceOf(const Napi::Value& value) {
  const node_directml_device* device = nullptr;
  if (node_directml_get_device(value.Env(), value, &device) == napi_ok) {
    return ComPtr<ID3D12Device>(device->d3d12_device);
  }
  return As<ID3D12Device>(value);
}

Queue& QueueOf(ID3D12Resource* resource, Napi::Env env) {
  ComPtr<ID3D12Device> device;
  Check(resource->GetDevice(Iid<ID3D12Device>::value, device.Put()), "GetDevice");
  auto& queues = *env.GetInstanceData<Queues>();
  return queues.try_emplace(device.Get(), device).first->second;
}

Napi::Value Wrap(Napi::Env env, IUnknown* object) {
  napi_value result = nullptr;
  if (node_directml_wrap_com_object(env, object, &result) != napi_ok) throw std::runtime_error("no external");
  return {env, result};
}

uint32_t Number(const Napi::Object& object, const char* name, uint32_t otherwise) {
  const Napi::Value value = object.Get(name);
  return value.IsNumber() ? value.As<Napi::Number>().Uint32Value() : otherwise;
}

Napi::Value CreateDevice(const Napi::CallbackInfo& info) {
  ComPtr<ID3D12Device> device;
  Check(::D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, Iid<ID3D12Device>::value, device.Put()),
        "D3D12CreateDevice");
  return Wrap(info.Env(), device.Get());
}

Napi::Value IsSameDevice(const Napi::CallbackInfo& info) {
  const bool is_same = DeviceOf(info[0]).As<IUnknown>().Get() == DeviceOf(info[1]).As<IUnknown>().Get();
  return Napi::Boolean::New(info.Env(), is_same);
}

Napi::Value CreateQueue(const Napi::CallbackInfo& info) {
  D3D12_COMMAND_QUEUE_DESC desc = {};
  desc.Type = static_cast<D3D12_COMMAND_LIST_TYPE>(info[1].As<Napi::Number>().Uint32Value());
  ComPtr<ID3D12CommandQueue> queue;
  Check(DeviceOf(info[0])->CreateCommandQueue(&desc, Iid<ID3D12CommandQueue>::value, queue.Put()),
        "CreateCommandQueue");
  return Wrap(info.Env(), queue.Get());
}

Napi::Value CreateTexture(const Napi::CallbackInfo& info) {
  const ComPtr<ID3D12Device> device = DeviceOf(info[0]);
  const Napi::Object options = info[1].As<Napi::Object>();
  D3D12_HEAP_PROPERTIES properties = {};
  properties.Type = D3D12_HEAP_TYPE_DEFAULT;
  D3D12_RESOURCE_DESC desc = {};
  const uint32_t dimension = Number(options, "dimension", 2);
  desc.Dimension = static_cast<D3D12_RESOURCE_DIMENSION>(D3D12_RESOURCE_DIMENSION_TEXTURE1D + dimension - 1);
  desc.Width = Number(options, "width", 1);
  desc.Height = Number(options, "height", 1);
  desc.DepthOrArraySize = static_cast<UINT16>(Number(options, "slices", 1));
  desc.MipLevels = static_cast<UINT16>(Number(options, "mips", 1));
  desc.Format = static_cast<DXGI_FORMAT>(Number(options, "format", DXGI_FORMAT_B8G8R8A8_UNORM));
  desc.SampleDesc.Count = Number(options, "samples", 1);
  desc.Flags = static_cast<D3D12_RESOURCE_FLAGS>(Number(options, "flags", 0));
  ComPtr<ID3D12Resource> texture;
  const auto heap_flags = static_cast<D3D12_HEAP_FLAGS>(Number(options, "heapFlags", D3D12_HEAP_FLAG_NONE));
  Check(device->CreateCommittedResource(&properties, heap_flags, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                        Iid<ID3D12Resource>::value, texture.Put()),
        "CreateCommittedResource");
  return Wrap(info.Env(), texture.Get());
}

Napi::Value WriteTexture(const Napi::CallbackInfo& info) {
  const ComPtr<ID3D12Resource> texture = As<ID3D12Resource>(info[0]);
  const Napi::Uint8Array data = info[1].As<Napi::Uint8Array>();
  const Rows rows = RowsOf(texture.Get());
  if (data.ByteLength() != size_t{rows.Bytes()} * rows.height) throw std::runtime_error("wrong size");
  QueueOf(texture.Get(), info.Env()).WriteTexture(texture.Get(), data.Data());
  return info.Env().Undefined();
}

Napi::Value ReadTexture(const Napi::CallbackInfo& info) {
  const ComPtr<ID3D12Resource> texture = As<ID3D12Resource>(info[0]);
  const Rows rows = RowsOf(texture.Get());
  Napi::Uint8Array data = Napi::Uint8Array::New(info.Env(), size_t{rows.Bytes()} * rows.height);
  QueueOf(texture.Get(), info.Env()).ReadTexture(texture.Get(), data.Data());
  return data;
}

Napi::Value MakeBuffer(const Napi::CallbackInfo& info) {
  const ComPtr<ID3D12Device> device = DeviceOf(info[0]);
  const Napi::Object options = info[1].As<Napi::Object>();
  const auto heap = static_cast<D3D12_HEAP_TYPE>(Number(options, "heap", D3D12_HEAP_TYPE_DEFAULT));
  const bool unordered = Number(options, "unordered", 1) != 0;
  const auto heap_flags = static_cast<D3D12_HEAP_FLAGS>(Number(options, "heapFlags", D3D12_HEAP_FLAG_NONE));
  return Wrap(info.Env(), CreateBuffer(device.Get(), heap, Number(options, "size", 64), unordered, heap_flags).Get());
}

Napi::Value WriteBuffer(const Napi::CallbackInfo& info) {
  const ComPtr<ID3D12Resource> buffer = As<ID3D12Resource>(info[0]);
  const Napi::Uint8Array data = info[2].As<Napi::Uint8Array>();
  QueueOf(buffer.Get(), info.Env())
      .WriteBuffer(buffer.Get(), info[1].As<Napi::Number>().Uint32Value(), data.Data(), data.ByteLength());
  return info.Env().Undefined();
}

Napi::Value ReadBuffer(const Napi::CallbackInfo& info) {
  const ComPtr<ID3D12Resource> buffer = As<ID3D12Resource>(info[0]);
  Napi::Uint8Array data = Napi::Uint8Array::New(info.Env(), info[2].As<Napi::Number>().Uint32Value());
  QueueOf(buffer.Get(), info.Env())
      .ReadBuffer(buffer.Get(), info[1].As<Napi::Number>().Uint32Value(), data.Data(), data.ByteLength());
  return data;
}

Napi::Value CreateFence(const Napi::CallbackInfo& info) {
  ComPtr<ID3D12Fence> fence;
  Check(DeviceOf(info[0])->CreateFence(0, D3D12_FENCE_FLAG_SHARED, Iid<ID3D12Fence>::value, fence.Put()),
        "CreateFence");
  return Wrap(info.Env(), fence.Get());
}

Napi::Value FenceValue(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), uint64_t{As<ID3D12Fence>(info[0])->GetCompletedValue()});
}

Napi::Value SignalFence(const Napi::CallbackInfo& info) {
  bool lossless = false;
  Check(As<ID3D12Fence>(info[0])->Signal(info[1].As<Napi::BigInt>().Uint64Value(&lossless)), "Signal");
  return info.Env().Undefined();
}

Napi::Value CloseQueues(const Napi::CallbackInfo& info) {
  info.Env().GetInstanceData<Queues>()->clear();
  return info.Env().Undefined();
}

/** An external with a struct that no function of the header makes. */
Napi::Value Malformed(const Napi::CallbackInfo& info) {
  static constexpr napi_type_tag kOtherTag = {1, 2};
  const std::string kind = info[0].As<Napi::String>().Utf8Value();
  if (kind == "untagged") return Napi::External<int>::New(info.Env(), nullptr);
  node_directml_com_object values = {NODE_DIRECTML_VERSION, sizeof(values), nullptr};
  if (kind == "version") values.version = 0;
  if (kind == "size") values.struct_size = 8;
  const napi_type_tag* const tag = kind == "tag" ? &kOtherTag : &node_directml_com_object_tag;
  napi_value result = nullptr;
  if (node_directml_wrap_(info.Env(), &values, sizeof(values), 1, tag, &result) != napi_ok) {
    throw std::runtime_error("no external");
  }
  return {info.Env(), result};
}

/** buffer.native with another offset and size. */
Napi::Value MalformedBuffer(const Napi::CallbackInfo& info) {
  const node_directml_buffer* buffer = nullptr;
  if (node_directml_get_buffer(info.Env(), info[0], &buffer) != napi_ok) throw std::runtime_error("no buffer");
  node_directml_buffer values = *buffer;
  bool lossless = false;
  values.offset = info[1].As<Napi::BigInt>().Uint64Value(&lossless);
  values.size_in_bytes = info[2].As<Napi::BigInt>().Uint64Value(&lossless);
  napi_value result = nullptr;
  if (node_directml_wrap_(info.Env(), &values, sizeof(values), 1, &node_directml_buffer_tag, &result) != napi_ok) {
    throw std::runtime_error("no external");
  }
  return {info.Env(), result};
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new Queues());
  const auto define = [&](const char* name, Napi::Function function) { exports.Set(name, function); };
  define("createDevice", Napi::Function::New<Guarded<CreateDevice>>(env));
  define("isSameDevice", Napi::Function::New<Guarded<IsSameDevice>>(env));
  define("createQueue", Napi::Function::New<Guarded<CreateQueue>>(env));
  define("createTexture", Napi::Function::New<Guarded<CreateTexture>>(env));
  define("writeTexture", Napi::Function::New<Guarded<WriteTexture>>(env));
  define("readTexture", Napi::Function::New<Guarded<ReadTexture>>(env));
  define("createBuffer", Napi::Function::New<Guarded<MakeBuffer>>(env));
  define("writeBuffer", Napi::Function::New<Guarded<WriteBuffer>>(env));
  define("readBuffer", Napi::Function::New<Guarded<ReadBuffer>>(env));
  define("createFence", Napi::Function::New<Guarded<CreateFence>>(env));
  define("fenceValue", Napi::Function::New<Guarded<FenceValue>>(env));
  define("signalFence", Napi::Function::New<Guarded<SignalFence>>(env));
  define("closeQueues", Napi::Function::New<Guarded<CloseQueues>>(env));
  define("malformed", Napi::Function::New<Guarded<Malformed>>(env));
  define("malformedBuffer", Napi::Function::New<Guarded<MalformedBuffer>>(env));
  DefineHandles(env, define);
  return exports;
}

}  // namespace

}  // namespace interop

static Napi::Object InitAddon(Napi::Env env, Napi::Object exports) { return interop::Init(env, exports); }

NODE_API_MODULE(node_directml_interop, InitAddon)
