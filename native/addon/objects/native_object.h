/**
 * The base of the classes of binding.d.ts: a type tag that identifies native objects, and methods that check their
 * receiver. Node-API's own class methods leave that check to V8, whose errors "Illegal invocation" and "Class
 * constructor cannot be invoked" carry no code. This base throws NativeErrors instead.
 */
#pragma once

#include <napi.h>

#include <initializer_list>

#include "addon/environment/addon_state.h"
#include "addon/values/js_error.h"

namespace ndml {

/** `T` must have a public `static constexpr napi_type_tag kTag`. */
template <typename T>
class NativeObject : public Napi::ObjectWrap<T> {
 public:
  /** Returns null if the value is not an object of `T`. Proxies and instances of JavaScript subclasses do not count. */
  static T* From(const Napi::Value& value) {
    if (!value.IsObject()) return nullptr;
    const Napi::Object object = value.As<Napi::Object>();
    return object.CheckTypeTag(&T::kTag) ? Napi::ObjectWrap<T>::Unwrap(object) : nullptr;
  }

  static Napi::Value OnCalledAsFunction(const Napi::CallbackInfo& info) { throw IllegalConstructor(info.Env()); }

 protected:
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

  /** `method` points to a method of `T` or of one of its bases. */
  template <auto method>
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
