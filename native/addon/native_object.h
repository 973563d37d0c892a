/**
 * What the classes of binding.d.ts have in common: a tag by which native code knows its own objects, and methods that
 * check their receiver themselves. Those that Node-API defines on a class leave it to V8, whose "Illegal invocation"
 * and "Class constructor cannot be invoked" carry no code; here all of it is a NativeError.
 */
#pragma once

#include <napi.h>

#include <initializer_list>

#include "addon/addon_state.h"
#include "addon/js_error.h"

namespace ndml {

/** `T` has a public `static constexpr napi_type_tag kTag`. */
template <typename T>
class NativeObject : public Napi::ObjectWrap<T> {
 public:
  /** Null when the value is anything else, subclasses and proxies included. */
  static T* From(const Napi::Value& value) {
    if (!value.IsObject()) return nullptr;
    const Napi::Object object = value.As<Napi::Object>();
    return object.CheckTypeTag(&T::kTag) ? Napi::ObjectWrap<T>::Unwrap(object) : nullptr;
  }

  static Napi::Value OnCalledAsFunction(const Napi::CallbackInfo& info) { throw IllegalConstructor(info.Env()); }

 protected:
  using MethodPointer = Napi::Value (T::*)(const Napi::CallbackInfo&);
  struct Method {
    const char* name;
    Napi::Value (*call)(const Napi::CallbackInfo& info);
  };

  explicit NativeObject(const Napi::CallbackInfo& info) : Napi::ObjectWrap<T>(info) {
    if (!IsUnderConstruction(info.Env())) throw IllegalConstructor(info.Env());
    info.This().As<Napi::Object>().TypeTag(&T::kTag);
  }

  static Napi::Function DefineWithMethods(Napi::Env env, const char* name, std::initializer_list<Method> methods) {
    const Napi::Function type = Napi::ObjectWrap<T>::DefineClass(env, name, {});
    const Napi::Object prototype = type.Get("prototype").As<Napi::Object>();
    for (const Method& method : methods) {
      prototype.DefineProperty(Napi::PropertyDescriptor::Value(
          method.name, Napi::Function::New(env, method.call, method.name), napi_default));
    }
    return type;
  }

  template <MethodPointer method>
  static Napi::Value Call(const Napi::CallbackInfo& info) {
    return Guard(info.Env(), [&] {
      T* const object = From(info.This());
      if (object == nullptr) {
        throw Failure("ERR_INVALID_ARGUMENT", "called on an object of another kind").Field("this");
      }
      return (object->*method)(info);
    });
  }
};

}  // namespace ndml
