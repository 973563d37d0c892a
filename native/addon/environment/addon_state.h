/**
 * The state of one JavaScript environment (the main thread or one worker thread), kept as its instance data, so that
 * environments do not affect each other. Only debug_layer.cpp and orphans.cpp have process-wide state.
 */
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "addon/values/js_error.h"
#include "gpu/memory/counters.h"
#include "gpu/record/dispatch_command.h"

namespace ndml {

class BufferObject;
class OperatorObject;

/** The objects of a class whose JavaScript objects are alive, including disposed ones, by number. A number is never reused. */
template <typename T>
struct Numbered {
  std::unordered_map<uint64_t, T*> objects;
  uint64_t last = 0;

  uint64_t Add(T* object) {
    objects.emplace(++last, object);
    return last;
  }
  /** Null if there is none. */
  T* Find(uint64_t number) const {
    const auto found = objects.find(number);
    return found == objects.end() ? nullptr : found->second;
  }
};

/** The number of an object, which ends with the object. */
template <typename T>
class OwnNumber {
 public:
  OwnNumber(std::shared_ptr<Numbered<T>> all, T* object) : all_(std::move(all)), value_(all_->Add(object)) {}
  ~OwnNumber() { all_->objects.erase(value_); }
  OwnNumber(const OwnNumber&) = delete;
  OwnNumber& operator=(const OwnNumber&) = delete;
  uint64_t value() const { return value_; }

 private:
  /** Shared, because the environment's AddonState may be destroyed before its objects. */
  std::shared_ptr<Numbered<T>> all_;
  uint64_t value_;
};

class AddonState {
 public:
  static AddonState& Of(Napi::Env env) { return *env.GetInstanceData<AddonState>(); }

  std::shared_ptr<LiveCounters> counters = std::make_shared<LiveCounters>();
  std::shared_ptr<Numbered<BufferObject>> buffers = std::make_shared<Numbered<BufferObject>>();
  std::shared_ptr<Numbered<OperatorObject>> operators = std::make_shared<Numbered<OperatorObject>>();
  /** Scratch memory for the arguments of a dispatch, reused to save allocations. */
  DispatchCommand dispatch;
  Napi::FunctionReference device_class;
  Napi::FunctionReference buffer_class;
  Napi::FunctionReference operator_class;
  Napi::FunctionReference recording_class;
  Napi::FunctionReference texture_class;
  Napi::FunctionReference fence_class;
  /** Keys of the properties that hold a NativeDevice's callbacks. */
  Napi::Reference<Napi::Symbol> lost_callback_key;
  Napi::Reference<Napi::Symbol> budget_callback_key;
  /**
   * The argument of the constructor that native code is calling. Null if JavaScript calls a constructor, which it can
   * reach as `object.constructor`; such calls are refused.
   */
  void* under_construction = nullptr;
};

/** Constructs an instance of one of the classes. Its constructor gets `argument` by ConstructorArgument. */
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

/** False if JavaScript called the constructor, which must then throw IllegalConstructor. */
inline bool IsUnderConstruction(Napi::Env env) { return AddonState::Of(env).under_construction != nullptr; }

inline Napi::Error IllegalConstructor(Napi::Env env) {
  return ToJsError(env, Failure("ERR_INVALID_ARGUMENT", "illegal constructor"));
}

/** Returns the argument given to Construct. Call it once. */
template <typename T>
T& ConstructorArgument(Napi::Env env) {
  AddonState& state = AddonState::Of(env);
  void* argument = state.under_construction;
  state.under_construction = nullptr;
  return *static_cast<T*>(argument);
}

}  // namespace ndml
