/** JavaScript's NativeFence: a fence that other code shares with a device. */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/objects/device_child_object.h"
#include "gpu/share/sharing.h"

namespace ndml {

class FenceObject final : public DeviceChildObject<FenceObject, SharedFence> {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14cfe9ce015, 0x97c4e1b80ad5f362};

  static Napi::Function Define(Napi::Env env);
  static Napi::Object Create(Napi::Env env, std::shared_ptr<DeviceHost> host, std::shared_ptr<SharedFence> fence);

  explicit FenceObject(const Napi::CallbackInfo& info);

  /** Null once the fence is disposed. */
  const std::shared_ptr<SharedFence>& fence() const { return held(); }

 private:
  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<SharedFence> fence;
  };

  Napi::Value SharedHandle(const Napi::CallbackInfo& info);
  Napi::Value CompletedValue(const Napi::CallbackInfo& info);
};

}  // namespace ndml
