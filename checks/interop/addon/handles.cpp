#include "handles.h"

#include <string>

#include "gpu.h"
#include "platform/compat.h"

namespace interop {

namespace {

HANDLE HandleOf(const Napi::Value& value) {
  bool lossless = false;
  return reinterpret_cast<HANDLE>(static_cast<uintptr_t>(value.As<Napi::BigInt>().Uint64Value(&lossless)));
}

Napi::Value ValueOf(Napi::Env env, HANDLE handle) {
  if (handle == nullptr || handle == INVALID_HANDLE_VALUE) throw std::runtime_error("no handle");
  return Napi::BigInt::New(env, uint64_t{reinterpret_cast<uintptr_t>(handle)});
}

std::wstring Wide(const Napi::Value& value) {
  const std::u16string text = value.As<Napi::String>().Utf16Value();
  return {text.begin(), text.end()};
}

/** Empty if there is none. */
std::wstring NameIn(const Napi::Value& value) { return value.IsString() ? Wide(value) : std::wstring(); }

Napi::Value CreateHandle(const Napi::CallbackInfo& info) {
  const ComPtr<IUnknown> unknown = ObjectOf(info[0]);
  const ComPtr<ID3D12Resource> resource = unknown.As<ID3D12Resource>();
  const ComPtr<ID3D12Fence> fence = unknown.As<ID3D12Fence>();
  ID3D12DeviceChild* const object = resource ? static_cast<ID3D12DeviceChild*>(resource.Get()) : fence.Get();
  if (object == nullptr) throw std::runtime_error("neither a resource nor a fence");
  ComPtr<ID3D12Device> device;
  Check(object->GetDevice(Iid<ID3D12Device>::value, device.Put()), "GetDevice");
  HANDLE handle = nullptr;
  const std::wstring name = NameIn(info[1]);
  Check(device->CreateSharedHandle(object, nullptr, GENERIC_ALL, name.empty() ? nullptr : name.c_str(), &handle),
        "CreateSharedHandle");
  return ValueOf(info.Env(), handle);
}

Napi::Value DuplicateOf(const Napi::CallbackInfo& info) {
  const HANDLE process = ::GetCurrentProcess();
  HANDLE handle = nullptr;
  ::DuplicateHandle(process, HandleOf(info[0]), process, &handle, 0, FALSE, DUPLICATE_SAME_ACCESS);
  return ValueOf(info.Env(), handle);
}

/** False as well if one of them is not open. Unlike the end of a handle, it changes nothing if another thread has the value. */
Napi::Value IsSameObject(const Napi::CallbackInfo& info) {
  using Compare = BOOL(WINAPI*)(HANDLE, HANDLE);
  const auto compare = ndml::Procedure<Compare>(::GetModuleHandleW(L"kernelbase.dll"), "CompareObjectHandles");
  if (compare == nullptr) throw std::runtime_error("no CompareObjectHandles");
  return Napi::Boolean::New(info.Env(), compare(HandleOf(info[0]), HandleOf(info[1])) != FALSE);
}

Napi::Value Close(const Napi::CallbackInfo& info) {
  if (!::CloseHandle(HandleOf(info[0]))) throw std::runtime_error("the handle is not open");
  return info.Env().Undefined();
}

Napi::Value CreateEventHandle(const Napi::CallbackInfo& info) {
  const std::wstring name = NameIn(info[0]);
  return ValueOf(info.Env(), ::CreateEventW(nullptr, TRUE, FALSE, name.empty() ? nullptr : name.c_str()));
}

Napi::Value OpenFile(const Napi::CallbackInfo& info) {
  return ValueOf(info.Env(), ::CreateFileW(Wide(info[0]).c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING,
                                           FILE_ATTRIBUTE_NORMAL, nullptr));
}

}  // namespace

void DefineHandles(Napi::Env env, const std::function<void(const char*, Napi::Function)>& define) {
  define("createHandle", Napi::Function::New<Guarded<CreateHandle>>(env));
  define("duplicateHandle", Napi::Function::New<Guarded<DuplicateOf>>(env));
  define("isSameObject", Napi::Function::New<Guarded<IsSameObject>>(env));
  define("closeHandle", Napi::Function::New<Guarded<Close>>(env));
  define("createEvent", Napi::Function::New<Guarded<CreateEventHandle>>(env));
  define("openFile", Napi::Function::New<Guarded<OpenFile>>(env));
}

}  // namespace interop
