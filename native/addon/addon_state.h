/**
 * State of one JavaScript environment (the main thread, or one worker thread), kept as its instance data, so that
 * environments cannot disturb each other. What belongs to the process is static and little: debug_layer.cpp, orphans.cpp.
 */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/js_error.h"
#include "gpu/resource.h"

namespace ndml {

class AddonState {
 public:
  static AddonState& Of(Napi::Env env) { return *env.GetInstanceData<AddonState>(); }

  std::shared_ptr<LiveCounters> counters = std::make_shared<LiveCounters>();
  Napi::FunctionReference device_class;
  Napi::FunctionReference buffer_class;
  Napi::FunctionReference operator_class;
  /** See array_buffer.h. */
  Napi::FunctionReference array_buffer_constructor;
  /** The property by which a NativeDevice holds its onLost callback. */
  Napi::Reference<Napi::Symbol> lost_callback_key;
  /**
   * What the constructor being called by native code is to wrap. Null when JavaScript calls one (it can reach them
   * by `object.constructor`), which is refused.
   */
  void* under_construction = nullptr;
};

/** Makes an instance of one of the classes around `argument`. */
inline Napi::Object Construct(Napi::Env env, const Napi::FunctionReference& type, void* argument) {
  AddonState& state = AddonState::Of(env);
  state.under_construction = argument;
  try {
    const Napi::Object object = type.New({});
    state.under_construction = nullptr;
    return object;
  } catch (...) {
    state.under_construction = nullptr;
    throw;
  }
}

/** False when JavaScript called the constructor, which is refused with IllegalConstructor. */
inline bool IsUnderConstruction(Napi::Env env) { return AddonState::Of(env).under_construction != nullptr; }

inline Napi::Error IllegalConstructor(Napi::Env env) {
  return ToJsError(env, Failure("ERR_INVALID_ARGUMENT", "illegal constructor"));
}

/** The argument of Construct. */
template <typename T>
T& ConstructorArgument(Napi::Env env) {
  AddonState& state = AddonState::Of(env);
  void* argument = state.under_construction;
  state.under_construction = nullptr;
  return *static_cast<T*>(argument);
}

/** Adds a property that scripts can read and not change. */
inline void DefineReadOnly(Napi::Object object, const char* name, Napi::Value value) {
  object.DefineProperty(Napi::PropertyDescriptor::Value(name, value, napi_enumerable));
}

}  // namespace ndml
