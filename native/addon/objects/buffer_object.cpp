#include "addon/objects/buffer_object.h"

#include "addon/environment/addon_state.h"
#include "addon/host/device_allocation.h"
#include "addon/values/externals.h"
#include "addon/values/js_error.h"
#include "addon/values/own_properties.h"

namespace ndml {

namespace {

std::shared_ptr<Resource> NewMemory(DeviceHost& host, uint64_t size, D3D12_HEAP_FLAGS flags) {
  std::shared_ptr<Resource> resource = AllocateResource(host, size, flags);
  if (NewMemoryMayHoldOldBytes()) resource->defined_bytes = 0;
  return resource;
}

/** The memory of a buffer that was disposed of, else new memory. */
std::shared_ptr<Resource> SpareOrNewMemory(DeviceHost& host, uint64_t size) {
  std::shared_ptr<Resource> spare = host.work().spare_buffers().Take(size);
  return spare ? spare : NewMemory(host, size, D3D12_HEAP_FLAG_NONE);
}

}  // namespace

Napi::Function BufferObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeBuffer",
                           {{"renew", Call<&BufferObject::Renew>},
                            {"memory", Call<&BufferObject::Memory>},
                            {"sharedHandle", Call<&BufferObject::SharedHandle>},
                            {"setLabel", Call<&BufferObject::SetLabel>},
                            {"dispose", Call<&BufferObject::Dispose>}});
}

Napi::Object BufferObject::Create(Napi::Env env, std::shared_ptr<DeviceHost> host, uint64_t size,
                                  const std::optional<std::wstring>& name) {
  auto resource = name ? NewMemory(*host, size, D3D12_HEAP_FLAG_SHARED) : SpareOrNewMemory(*host, size);
  if (name) host->Run([&] { host->sharing().ExportHandle(resource, *name); });
  return Create(env, {std::move(host), std::move(resource), 0, size, false});
}

Napi::Object BufferObject::Import(Napi::Env env, std::shared_ptr<DeviceHost> host, std::shared_ptr<Resource> resource,
                                  uint64_t base, uint64_t size) {
  return Create(env, {std::move(host), std::move(resource), base, size, true});
}

Napi::Object BufferObject::Create(Napi::Env env, Argument argument) {
  const uint64_t size = argument.size;
  const Napi::Object object = Construct(env, AddonState::Of(env).buffer_class, &argument);
  const auto number = [env](uint64_t value) { return Napi::Number::New(env, static_cast<double>(value)); };
  // One call for both, because buffers are made often.
  object.DefineProperties(
      {Napi::PropertyDescriptor::Value("number", number(Unwrap(object)->number_.value()), napi_enumerable),
       Napi::PropertyDescriptor::Value("sizeInBytes", number(size), napi_enumerable)});
  return object;
}

BufferObject::BufferObject(const Napi::CallbackInfo& info)
    : DeviceChildObject(info), number_(AddonState::Of(info.Env()).buffers, this) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  base_ = argument.base;
  size_ = argument.size;
  HoldMemory(std::move(argument.host), std::move(argument.resource), argument.is_import ? 0 : size_);
}

void BufferObject::HoldMemory(std::shared_ptr<DeviceHost> host, std::shared_ptr<Resource> resource, uint64_t bytes) {
  Hold(std::move(host), std::move(resource), &LiveCounters::buffers, bytes);
  counted_ = CountedBytes(this->host()->counters(), &LiveCounters::buffer_bytes, bytes);
}

void BufferObject::ReleaseNative() {
  if (!resource()) return;
  counted_ = {};
  std::shared_ptr<Resource> released = resource();
  DeviceChildObject::ReleaseNative();
  host()->work().spare_buffers().Keep(std::move(released));
}

Napi::Value BufferObject::Renew(const Napi::CallbackInfo& info) {
  host()->RequireOpen();
  if (resource()) throw Failure("ERR_INVALID_ARGUMENT", "expected a disposed buffer").Field("this");
  HoldMemory(host(), SpareOrNewMemory(*host(), size_), size_);
  base_ = 0;
  return info.Env().Undefined();
}

Napi::Value BufferObject::Memory(const Napi::CallbackInfo& info) {
  if (!resource()) throw Failure("ERR_DISPOSED", "the buffer has been disposed");
  const Napi::Object memory = Napi::Object::New(info.Env());
  DefineOwn(memory, "number", Napi::Number::New(info.Env(), static_cast<double>(resource()->id)));
  DefineOwn(memory, "offset", Napi::Number::New(info.Env(), static_cast<double>(base_)));
  return memory;
}

Napi::Value BufferObject::SharedHandle(const Napi::CallbackInfo& info) {
  if (!resource()) throw Failure("ERR_DISPOSED", "the buffer has been disposed");
  return HandleValue(info.Env(), resource()->shared_handle);
}

Napi::Value BufferObject::SetLabel(const Napi::CallbackInfo& info) {
  if (!info[0].IsString()) throw Failure("ERR_INVALID_ARGUMENT", "label: expected a string");
  const std::u16string label = info[0].As<Napi::String>().Utf16Value();
  if (!resource()) throw Failure("ERR_DISPOSED", "the buffer has been disposed");
  static_assert(sizeof(wchar_t) == sizeof(char16_t), "Windows has 16-bit wide characters");
  resource()->is_visible_outside = true;
  resource()->d3d12->SetName(reinterpret_cast<const wchar_t*>(label.c_str()));
  return info.Env().Undefined();
}

}  // namespace ndml
