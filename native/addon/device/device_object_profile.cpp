/** The methods of NativeDevice that measure GPU time. */
#include "addon/device/device_object.h"

namespace ndml {

Napi::Value DeviceObject::StartProfile(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  return Napi::Boolean::New(info.Env(), commands_.StartProfile());
}

Napi::Value DeviceObject::EndProfile(const Napi::CallbackInfo&) {
  host_->RequireOpen();
  return commands_.EndProfile();
}

}  // namespace ndml
