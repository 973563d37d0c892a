/** JavaScript's NativeRecording: dispatches of one device that can be executed again and again. */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/objects/device_child_object.h"

namespace ndml {

class RecordingObject final : public DeviceChildObject<RecordingObject, Recording> {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14cf7a3e5b1, 0xa52c9d0e4b716f83};

  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<Recording> recording;
  };

  static Napi::Function Define(Napi::Env env);
  static Napi::Object Create(Napi::Env env, Argument argument);

  explicit RecordingObject(const Napi::CallbackInfo& info);

  /** Null once the recording is disposed. */
  const std::shared_ptr<Recording>& recording() const { return held(); }
};

}  // namespace ndml
