/** JavaScript's NativeTexture: a 2D texture that other code shares with a device. */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/objects/device_child_object.h"

namespace ndml {

class TextureObject final : public DeviceChildObject<TextureObject, Resource> {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14c7ec70be9, 0x8d20b5f3619ca74e};

  static Napi::Function Define(Napi::Env env);
  static Napi::Object Create(Napi::Env env, std::shared_ptr<DeviceHost> host, std::shared_ptr<Resource> resource);

  explicit TextureObject(const Napi::CallbackInfo& info);

  /** Null once the texture is disposed. */
  const std::shared_ptr<Resource>& resource() const { return held(); }
  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  DXGI_FORMAT format() const { return format_; }

 private:
  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<Resource> resource;
  };

  uint32_t width_ = 0;
  uint32_t height_ = 0;
  DXGI_FORMAT format_ = DXGI_FORMAT_UNKNOWN;
};

}  // namespace ndml
