/** JavaScript's NativeFrame: dispatches of one device that can be executed again and again. */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/device_host.h"
#include "addon/native_object.h"

namespace ndml {

class FrameObject final : public NativeObject<FrameObject>, public DeviceChild {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14cf7a3e5b1, 0xa52c9d0e4b716f83};

  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<Frame> frame;
  };

  static Napi::Function Define(Napi::Env env);
  static Napi::Object Create(Napi::Env env, Argument argument);

  explicit FrameObject(const Napi::CallbackInfo& info);
  ~FrameObject() override;

  const std::shared_ptr<DeviceHost>& host() const { return host_; }
  /** Null once the frame is disposed. */
  const std::shared_ptr<Frame>& frame() const { return frame_; }
  void ReleaseNative() override;
  bool IsCollected() override { return Value().IsEmpty(); }

 private:
  Napi::Value Dispose(const Napi::CallbackInfo& info);

  std::shared_ptr<DeviceHost> host_;
  std::shared_ptr<Frame> frame_;
};

}  // namespace ndml
