/** The addon's functions with handles of Windows, and what all of its functions share. */
#pragma once

#include <napi.h>

#include <functional>
#include <stdexcept>

#include "platform/com_ptr.h"

namespace interop {

/** The COM object of an external. Throws a std::runtime_error. */
ndml::ComPtr<IUnknown> ObjectOf(const Napi::Value& value);

/** Converts the errors of `function` to JavaScript's. */
template <auto function>
Napi::Value Guarded(const Napi::CallbackInfo& info) {
  try {
    return function(info);
  } catch (const std::runtime_error& error) {
    throw Napi::Error::New(info.Env(), error.what());
  }
}

void DefineHandles(Napi::Env env, const std::function<void(const char*, Napi::Function)>& define);

}  // namespace interop
