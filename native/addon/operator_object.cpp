#include "addon/operator_object.h"

#include "addon/addon_state.h"

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
  define("temporaryResourceSize", properties.TemporaryResourceSize);
  define("persistentResourceSize", properties.PersistentResourceSize);
  define("descriptorCount", properties.RequiredDescriptorCount);
  return object;
}

OperatorObject::OperatorObject(const Napi::CallbackInfo& info)
    : NativeObject<OperatorObject>(info), counters_(AddonState::Of(info.Env()).counters) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  host_ = std::move(argument.host);
  compiled_ = std::move(argument.compiled);
  inputs_ = std::move(argument.inputs);
  outputs_ = std::move(argument.outputs);
  host_->AddChild(this);
  ++counters_->operators;
}

OperatorObject::~OperatorObject() { ReleaseNative(); }

void OperatorObject::ReleaseNative() {
  if (!compiled_) return;
  compiled_.reset();
  host_->RemoveChild(this);
  --counters_->operators;
}

Napi::Value OperatorObject::Dispose(const Napi::CallbackInfo& info) {
  ReleaseNative();
  return info.Env().Undefined();
}

}  // namespace ndml
