#include "operator_object.h"

#include "addon_state.h"

namespace ndml {

namespace {

constexpr napi_type_tag kTag = {0x4e44d14c09e7a702, 0xb1f86c2d3e904a57};

}  // namespace

Napi::Function OperatorObject::Define(Napi::Env env) {
  return DefineClass(env, "NativeOperator", {InstanceMethod<&OperatorObject::Dispose>("dispose")});
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

OperatorObject* OperatorObject::From(const Napi::Value& value) {
  if (!value.IsObject()) return nullptr;
  const Napi::Object object = value.As<Napi::Object>();
  return object.CheckTypeTag(&kTag) ? Unwrap(object) : nullptr;
}

OperatorObject::OperatorObject(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<OperatorObject>(info), counters_(AddonState::Of(info.Env()).counters) {
  auto& argument = ConstructorArgument<Argument>(info.Env());
  info.This().As<Napi::Object>().TypeTag(&kTag);
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
