/**
 * Defines properties of JavaScript objects. An assignment (Napi's `Set`) may run a setter that a script has put on a
 * prototype, for the name of a property or for the index of an element. A definition runs no script, so the addon never
 * assigns. A test checks this.
 */
#pragma once

#include <napi.h>

#include <string>

namespace ndml {

/** Defines an own property, as an object literal does. */
template <typename Value>
void DefineOwn(const Napi::Object& object, const char* name, const Value& value) {
  object.DefineProperty(
      Napi::PropertyDescriptor::Value(name, Napi::Value::From(object.Env(), value), napi_default_jsproperty));
}

/** Defines an own property that scripts cannot change. */
inline void DefineReadOnly(const Napi::Object& object, const char* name, const Napi::Value& value) {
  object.DefineProperty(Napi::PropertyDescriptor::Value(name, value, napi_enumerable));
}

/** Creates an array of `count` elements. `element(i)` returns the element with the index `i`. */
template <typename Element>
Napi::Array MakeArray(Napi::Env env, size_t count, Element&& element) {
  const Napi::Array array = Napi::Array::New(env, count);
  for (size_t i = 0; i < count; ++i) {
    const Napi::HandleScope scope(env);
    array.DefineProperty(Napi::PropertyDescriptor::Value(Napi::String::New(env, std::to_string(i)),
                                                         Napi::Value::From(env, element(i)), napi_default_jsproperty));
  }
  return array;
}

}  // namespace ndml
