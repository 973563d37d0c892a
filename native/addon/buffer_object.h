/** JavaScript's NativeBuffer: default-heap memory of one device. */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/device_host.h"
#include "addon/native_object.h"

namespace ndml {

class BufferObject final : public NativeObject<BufferObject>, public DeviceChild {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14c0b0ff3e5, 0x9a5d0c7764f34d11};

  static Napi::Function Define(Napi::Env env);
  static Napi::Object Create(Napi::Env env, std::shared_ptr<DeviceHost> host, uint64_t size);

  explicit BufferObject(const Napi::CallbackInfo& info);
  ~BufferObject() override;

  const std::shared_ptr<DeviceHost>& host() const { return host_; }
  /** Null once the buffer is disposed. */
  const std::shared_ptr<Resource>& resource() const { return resource_; }
  uint64_t size() const { return size_; }
  void ReleaseNative() override;
  bool IsCollected() override { return Value().IsEmpty(); }

 private:
  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<Resource> resource;
    uint64_t size;
  };

  Napi::Value SetLabel(const Napi::CallbackInfo& info);
  Napi::Value Dispose(const Napi::CallbackInfo& info);

  std::shared_ptr<DeviceHost> host_;
  std::shared_ptr<Resource> resource_;
  uint64_t size_ = 0;
  CountedBytes counted_;
};

}  // namespace ndml
