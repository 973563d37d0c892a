#include "addon/frame_object.h"

#include "addon/addon_state.h"

namespace ndml {

Napi::Function FrameObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeFrame", {{"dispose", Call<&FrameObject::Dispose>}});
}

Napi::Object FrameObject::Create(Napi::Env env, Argument argument) {
  return Construct(env, AddonState::Of(env).frame_class, &argument);
}

FrameObject::FrameObject(const Napi::CallbackInfo& info) : NativeObject<FrameObject>(info) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  host_ = std::move(argument.host);
  frame_ = std::move(argument.frame);
  host_->AddChild(this, 0);
  host_->counters()->Add(&LiveCounters::frames, 1);
}

FrameObject::~FrameObject() { ReleaseNative(); }

void FrameObject::ReleaseNative() {
  if (!frame_) return;
  frame_.reset();
  host_->RemoveChild(this, 0);
  host_->counters()->Add(&LiveCounters::frames, -1);
}

Napi::Value FrameObject::Dispose(const Napi::CallbackInfo& info) {
  ReleaseNative();
  return info.Env().Undefined();
}

}  // namespace ndml
