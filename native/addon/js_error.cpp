#include "addon/js_error.h"

#include <new>

namespace ndml {

Napi::Error ToJsError(Napi::Env env, const Failure& failure) {
  Napi::Error error = Napi::Error::New(env, failure.message());
  error.Set("code", Napi::String::New(env, failure.code()));
  if (!failure.field().empty()) error.Set("field", Napi::String::New(env, failure.field()));
  if (!failure.call().empty()) error.Set("call", Napi::String::New(env, failure.call()));
  if (const std::optional<HRESULT> result = failure.result()) {
    error.Set("hresult", Napi::Number::New(env, static_cast<unsigned long>(*result)));
    error.Set("hresultName", Napi::String::New(env, HresultName(*result)));
  }
  if (const auto& messages = failure.debug_messages(); !messages.empty()) {
    Napi::Array list = Napi::Array::New(env, messages.size());
    for (size_t i = 0; i < messages.size(); ++i) {
      list.Set(static_cast<uint32_t>(i), Napi::String::New(env, messages[i]));
    }
    error.Set("debugMessages", list);
  }
  return error;
}

Napi::Error CurrentExceptionToJs(Napi::Env env) {
  try {
    throw;
  } catch (const Napi::Error& error) {
    if (!CanRunJs(env)) return error;
    // A getter or a proxy threw this; it can be any value.
    Napi::Error typed = ToJsError(env, Failure("ERR_INVALID_ARGUMENT", "a value could not be read"));
    try {
      typed.Set("cause", error.Value());
    } catch (const Napi::Error&) {
      // Even reading the value throws if it is a revoked proxy.
    }
    return typed;
  } catch (const Failure& failure) {
    return ToJsError(env, failure);
  } catch (const std::bad_alloc&) {
    return ToJsError(env, Failure("ERR_OUT_OF_MEMORY", "not enough memory"));
  } catch (const std::exception& error) {
    return ToJsError(env, Failure("ERR_NATIVE_CALL", error.what()));
  }
}

bool CanRunJs(Napi::Env env) {
  // Once JavaScript can no longer run, setting a property fails with a status and has no other effect.
  napi_value object = nullptr;
  if (napi_create_object(env, &object) != napi_ok) return false;
  return napi_set_named_property(env, object, "probe", object) == napi_ok;
}

}  // namespace ndml
