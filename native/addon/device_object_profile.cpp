/** The methods of NativeDevice that measure GPU time. */
#include "addon/call_arguments.h"
#include "addon/device_object.h"

namespace ndml {

Napi::Value DeviceObject::StartProfile(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  return Napi::Boolean::New(info.Env(), host_->StartProfile());
}

Napi::Value DeviceObject::DispatchProfiled(const Napi::CallbackInfo& info) {
  RequestedDispatch requested;
  ReadDispatch(info[0], info[1], info[2], &requested);
  // No script runs from here on, so nothing can be disposed in between.
  host_->RequireOpen();
  DispatchCommand command;
  CheckDispatch(requested, host_.get(), &command);
  host_->Reserve(command.op->properties);
  const size_t index = host_->Run([&] { return host_->recorder().DispatchProfiled(command); });
  return Napi::Number::New(info.Env(), static_cast<double>(index));
}

Napi::Value DeviceObject::EndProfile(const Napi::CallbackInfo&) {
  host_->RequireOpen();
  return host_->EndProfile();
}

}  // namespace ndml
