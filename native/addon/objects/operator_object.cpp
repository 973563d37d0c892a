#include "addon/objects/operator_object.h"

#include "addon/values/own_properties.h"

namespace ndml {

Napi::Function OperatorObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeOperator", {{"dispose", Call<&OperatorObject::Dispose>}});
}

Napi::Object OperatorObject::Create(Napi::Env env, Argument argument) {
  const DML_BINDING_PROPERTIES properties = argument.compiled->properties;
  const Napi::Object object = Construct(env, AddonState::Of(env).operator_class, &argument);
  const auto define = [&](const char* name, uint64_t value) {
    DefineReadOnly(object, name, Napi::Number::New(env, static_cast<double>(value)));
  };
  define("number", Unwrap(object)->number_.value());
  define("temporaryResourceSize", properties.TemporaryResourceSize);
  define("persistentResourceSize", properties.PersistentResourceSize);
  define("descriptorCount", properties.RequiredDescriptorCount);
  return object;
}

OperatorObject::OperatorObject(const Napi::CallbackInfo& info)
    : DeviceChildObject(info), number_(AddonState::Of(info.Env()).operators, this) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  inputs_ = std::move(argument.inputs);
  outputs_ = std::move(argument.outputs);
  const std::shared_ptr<Resource> persistent = argument.compiled->persistent;
  Hold(std::move(argument.host), std::move(argument.compiled), &LiveCounters::operators,
       persistent ? persistent->capacity : 0);
}

OperatorObject::~OperatorObject() { OperatorObject::ReleaseNative(); }

void OperatorObject::ReleaseNative() {
  if (compiled()) host()->recorder().Forget(*compiled());
  DeviceChildObject::ReleaseNative();
}

}  // namespace ndml
