/** JavaScript's NativeBuffer: default-heap memory of one device, or memory that other code shares with it. */
#pragma once

#include <napi.h>

#include <memory>
#include <optional>
#include <string>

#include "addon/environment/addon_state.h"
#include "addon/objects/device_child_object.h"

namespace ndml {

class BufferObject final : public DeviceChildObject<BufferObject, Resource> {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14c0b0ff3e5, 0x9a5d0c7764f34d11};

  static Napi::Function Define(Napi::Env env);
  /** With a name, which may be empty, the memory gets a handle by which other code can share it. */
  static Napi::Object Create(Napi::Env env, std::shared_ptr<DeviceHost> host, uint64_t size,
                             const std::optional<std::wstring>& name);
  /** A buffer of `size` bytes, a multiple of 4, from the byte `base` of memory that other code has allocated. */
  static Napi::Object Import(Napi::Env env, std::shared_ptr<DeviceHost> host, std::shared_ptr<Resource> resource,
                             uint64_t base, uint64_t size);

  explicit BufferObject(const Napi::CallbackInfo& info);

  /** Null once the buffer is disposed. */
  const std::shared_ptr<Resource>& resource() const { return held(); }
  /** Where the buffer begins in its resource, in bytes: 0, unless other code has allocated it. */
  uint64_t base() const { return base_; }
  uint64_t size() const { return size_; }
  /** Like `size`, but with the padding of the last 32-bit word. */
  uint64_t capacity() const { return RoundUp(size_, 4); }
  void ReleaseNative() override;

 private:
  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<Resource> resource;
    uint64_t base;
    uint64_t size;
    bool is_import;
  };

  static Napi::Object Create(Napi::Env env, Argument argument);

  /** `bytes` is how many of the memory's bytes the buffer has allocated. */
  void HoldMemory(std::shared_ptr<DeviceHost> host, std::shared_ptr<Resource> resource, uint64_t bytes);
  Napi::Value Renew(const Napi::CallbackInfo& info);
  Napi::Value Memory(const Napi::CallbackInfo& info);
  Napi::Value SharedHandle(const Napi::CallbackInfo& info);
  Napi::Value SetLabel(const Napi::CallbackInfo& info);

  uint64_t base_ = 0;
  uint64_t size_ = 0;
  OwnNumber<BufferObject> number_;
  CountedBytes counted_;
};

}  // namespace ndml
