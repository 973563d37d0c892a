#include "addon/values/externals.h"

#include <node_directml.h>

namespace ndml {

namespace {

void RequireExternal(const Napi::Value& value) {
  if (value.IsExternal()) return;
  throw Failure("ERR_INVALID_ARGUMENT", "external: expected an external of a native addon").Field("external");
}

Failure UnknownExternal(const char* expected) {
  return Failure("ERR_NOT_SHAREABLE", std::string("external: expected ") + expected +
                                          ", given an external of another kind; make it with " +
                                          "node_directml_wrap_com_object of include/node_directml.h")
      .Field("external");
}

void RequireMade(Napi::Env env, napi_status status) {
  if (status != napi_ok) throw Napi::Error::New(env);
}

}  // namespace

Foreign ReadComObject(const Napi::Value& external) {
  RequireExternal(external);
  IUnknown* object = nullptr;
  if (node_directml_get_com_object(external.Env(), external, &object) != napi_ok) {
    throw UnknownExternal("a COM object of another addon");
  }
  return {ComPtr<IUnknown>(object)};
}

ForeignBytes ReadForeignBytes(const Napi::Value& external) {
  RequireExternal(external);
  const node_directml_buffer* buffer = nullptr;
  if (node_directml_get_buffer(external.Env(), external, &buffer) == napi_ok && buffer->resource != nullptr) {
    return {{ComPtr<IUnknown>(buffer->resource)}, buffer->offset, buffer->size_in_bytes};
  }
  IUnknown* object = nullptr;
  if (node_directml_get_com_object(external.Env(), external, &object) != napi_ok) {
    throw UnknownExternal("a buffer of another addon, or buffer.native of another device");
  }
  return {{ComPtr<IUnknown>(object)}};
}

Napi::Value HandleValue(Napi::Env env, const UniqueHandle& handle) {
  if (handle.Get() == nullptr) return env.Undefined();
  return Napi::BigInt::New(env, uint64_t{reinterpret_cast<uintptr_t>(handle.Get())});
}

Napi::Value DeviceExternal(Napi::Env env, const GpuDevice& gpu, ID3D12CommandQueue* queue) {
  const node_directml_device values = {NODE_DIRECTML_VERSION, sizeof(values), gpu.d3d12.Get(), queue, gpu.dml.Get()};
  constexpr size_t kObjects = 3;
  napi_value result = nullptr;
  RequireMade(env, node_directml_wrap_(env, &values, sizeof(values), kObjects, &node_directml_device_tag, &result));
  return {env, result};
}

Napi::Value BufferExternal(Napi::Env env, const Resource& resource, uint64_t offset, uint64_t size) {
  const node_directml_buffer values = {NODE_DIRECTML_VERSION, sizeof(values), resource.d3d12.Get(), offset, size};
  napi_value result = nullptr;
  RequireMade(env, node_directml_wrap_(env, &values, sizeof(values), 1, &node_directml_buffer_tag, &result));
  return {env, result};
}

}  // namespace ndml
