#include "addon/values/js_error.h"

#include <new>

#include "addon/values/own_properties.h"

namespace ndml {

Napi::Error ToJsError(Napi::Env env, const Failure& failure) {
  napi_value error = nullptr;
  if (napi_create_error(env, nullptr, Napi::String::New(env, failure.message()), &error) != napi_ok) {
    throw Napi::Error::New(env);
  }
  const Napi::Object object(env, error);
  DefineOwn(object, "code", failure.code());
  if (!failure.field().empty()) DefineOwn(object, "field", failure.field());
  if (!failure.call().empty()) DefineOwn(object, "call", failure.call());
  if (const std::optional<HRESULT> result = failure.result()) {
    DefineOwn(object, "hresult", static_cast<uint32_t>(*result));
    DefineOwn(object, "hresultName", HresultName(*result));
  }
  if (const auto& messages = failure.debug_messages(); !messages.empty()) {
    DefineOwn(object, "debugMessages", MakeArray(env, messages.size(), [&](size_t i) { return messages[i]; }));
  }
  return Napi::Error(env, error);
}

Napi::Error CurrentExceptionToJs(Napi::Env env) {
  try {
    throw;
  } catch (const Napi::Error& error) {
    if (!CanRunJs(env)) return error;
    // A getter or a proxy of a script threw this error; it can be any value.
    Napi::Error typed = ToJsError(env, Failure("ERR_INVALID_ARGUMENT", "a value could not be read"));
    try {
      DefineOwn(typed.Value(), "cause", error.Value());
    } catch (const Napi::Error&) {
      // Even error.Value() throws if the value is a revoked proxy.
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
  // Once JavaScript can no longer run, defining a property fails with a status and has no other effect.
  napi_value object = nullptr;
  if (napi_create_object(env, &object) != napi_ok) return false;
  const napi_property_descriptor probe = Napi::PropertyDescriptor::Value("probe", object, napi_default);
  return napi_define_properties(env, object, 1, &probe) == napi_ok;
}

}  // namespace ndml
