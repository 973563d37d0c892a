/**
 * Errors for JavaScript: `ToJsError` turns a Failure into the NativeError of binding.d.ts, and `Guard` wraps every function
 * that JavaScript calls, so that nothing else ever leaves the addon.
 */
#pragma once

#include <napi.h>

#include "gpu/failure.h"

namespace ndml {

Napi::Error ToJsError(Napi::Env env, const Failure& failure);

/** The exception in flight as a JavaScript error. Call it from a catch block only. */
Napi::Error CurrentExceptionToJs(Napi::Env env);

/** Runs the body of a function that JavaScript called. */
template <typename Body>
auto Guard(Napi::Env env, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    throw CurrentExceptionToJs(env);
  }
}

/** False while the environment is being torn down and can no longer run JavaScript. */
bool CanRunJs(Napi::Env env);

}  // namespace ndml
