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

OperatorObject::OperatorObject(const Napi::CallbackInfo& info) : NativeObject<OperatorObject>(info) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  host_ = std::move(argument.host);
  compiled_ = std::move(argument.compiled);
  persistent_bytes_ = compiled_->persistent ? compiled_->persistent->capacity : 0;
  inputs_ = std::move(argument.inputs);
  outputs_ = std::move(argument.outputs);
  host_->AddChild(this, persistent_bytes_);
  host_->counters()->Add(&LiveCounters::operators, 1);
}

OperatorObject::~OperatorObject() { ReleaseNative(); }

void OperatorObject::ReleaseNative() {
  if (!compiled_) return;
  compiled_.reset();
  host_->RemoveChild(this, persistent_bytes_);
  host_->counters()->Add(&LiveCounters::operators, -1);
}

Napi::Value OperatorObject::Dispose(const Napi::CallbackInfo& info) {
  ReleaseNative();
  return info.Env().Undefined();
}

}  // namespace ndml
