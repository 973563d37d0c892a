/**
 * Errors for JavaScript. `ToJsError` turns a Failure into the NativeError of binding.d.ts. `Guard` wraps every function
 * that JavaScript calls, so that the addon throws nothing but a NativeError.
 */
#pragma once

#include <napi.h>

#include "platform/failure.h"

namespace ndml {

Napi::Error ToJsError(Napi::Env env, const Failure& failure);

/** Converts the exception being handled to a JavaScript error. Call it only in a catch block. */
Napi::Error CurrentExceptionToJs(Napi::Env env);

/** Runs the body of a function that JavaScript called, and converts its exceptions. */
template <typename Body>
auto Guard(Napi::Env env, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    throw CurrentExceptionToJs(env);
  }
}

/** False if the environment is being torn down and can no longer run JavaScript. */
bool CanRunJs(Napi::Env env);

}  // namespace ndml
