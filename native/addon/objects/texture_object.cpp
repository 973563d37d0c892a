#include "addon/objects/texture_object.h"

#include "addon/environment/addon_state.h"
#include "addon/values/own_properties.h"

namespace ndml {

Napi::Function TextureObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeTexture", {{"dispose", Call<&TextureObject::Dispose>}});
}

Napi::Object TextureObject::Create(Napi::Env env, std::shared_ptr<DeviceHost> host,
                                   std::shared_ptr<Resource> resource) {
  Argument argument = {std::move(host), std::move(resource)};
  const Napi::Object object = Construct(env, AddonState::Of(env).texture_class, &argument);
  const TextureObject* const texture = Unwrap(object);
  DefineReadOnly(object, "width", Napi::Number::New(env, texture->width_));
  DefineReadOnly(object, "height", Napi::Number::New(env, texture->height_));
  DefineReadOnly(object, "format", Napi::Number::New(env, texture->format_));
  return object;
}

TextureObject::TextureObject(const Napi::CallbackInfo& info) : DeviceChildObject(info) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  const D3D12_RESOURCE_DESC desc = ResourceDesc(argument.resource->d3d12.Get());
  width_ = static_cast<uint32_t>(desc.Width);
  height_ = desc.Height;
  format_ = desc.Format;
  Hold(std::move(argument.host), std::move(argument.resource), &LiveCounters::textures, 0);
}

}  // namespace ndml
