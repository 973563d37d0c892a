#include "addon/frame_object.h"

#include "addon/addon_state.h"

namespace ndml {

Napi::Function FrameObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeFrame", {{"dispose", Call<&FrameObject::Dispose>}});
}

Napi::Object FrameObject::Create(Napi::Env env, Argument argument) {
  return Construct(env, AddonState::Of(env).frame_class, &argument);
}

FrameObject::FrameObject(const Napi::CallbackInfo& info) : DeviceChildObject(info) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  Hold(std::move(argument.host), std::move(argument.frame), &LiveCounters::frames, 0);
}

}  // namespace ndml
