#include "addon/objects/fence_object.h"

#include "addon/environment/addon_state.h"
#include "addon/values/externals.h"

namespace ndml {

Napi::Function FenceObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeFence",
                           {{"completedValue", Call<&FenceObject::CompletedValue>},
                            {"sharedHandle", Call<&FenceObject::SharedHandle>},
                            {"dispose", Call<&FenceObject::Dispose>}});
}

Napi::Object FenceObject::Create(Napi::Env env, std::shared_ptr<DeviceHost> host, std::shared_ptr<SharedFence> fence) {
  Argument argument = {std::move(host), std::move(fence)};
  return Construct(env, AddonState::Of(env).fence_class, &argument);
}

FenceObject::FenceObject(const Napi::CallbackInfo& info) : DeviceChildObject(info) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  Hold(std::move(argument.host), std::move(argument.fence), &LiveCounters::fences, 0);
}

Napi::Value FenceObject::CompletedValue(const Napi::CallbackInfo& info) {
  if (!fence()) throw Failure("ERR_DISPOSED", "the fence has been disposed");
  return Napi::BigInt::New(info.Env(), uint64_t{fence()->d3d12->GetCompletedValue()});
}

Napi::Value FenceObject::SharedHandle(const Napi::CallbackInfo& info) {
  if (!fence()) throw Failure("ERR_DISPOSED", "the fence has been disposed");
  return HandleValue(info.Env(), fence()->shared_handle);
}

}  // namespace ndml
