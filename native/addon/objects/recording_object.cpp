#include "addon/objects/recording_object.h"

#include "addon/environment/addon_state.h"

namespace ndml {

Napi::Function RecordingObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeRecording", {{"dispose", Call<&RecordingObject::Dispose>}});
}

Napi::Object RecordingObject::Create(Napi::Env env, Argument argument) {
  return Construct(env, AddonState::Of(env).recording_class, &argument);
}

RecordingObject::RecordingObject(const Napi::CallbackInfo& info) : DeviceChildObject(info) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  Hold(std::move(argument.host), std::move(argument.recording), &LiveCounters::recordings, 0);
}

}  // namespace ndml
