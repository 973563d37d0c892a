#include "addon/array_buffer.h"

#include <string>

#include "addon/addon_state.h"
#include "addon/js_error.h"

namespace ndml {

namespace {

/** True if the process can get `size` bytes now. */
bool CanAllocate(uint64_t size) {
  void* const memory = ::VirtualAlloc(nullptr, static_cast<SIZE_T>(size), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory == nullptr) return false;
  ::VirtualFree(memory, 0, MEM_RELEASE);
  return true;
}

Napi::ArrayBuffer Construct(Napi::Env env, const Napi::FunctionReference& constructor, uint64_t size) {
  try {
    const Napi::Object made = constructor.New({Napi::Number::New(env, static_cast<double>(size))});
    return made.IsArrayBuffer() ? made.As<Napi::ArrayBuffer>() : Napi::ArrayBuffer();
  } catch (const Napi::Error&) {
    return {};
  }
}

}  // namespace

Napi::FunctionReference FindArrayBufferConstructor(Napi::Env env) {
  napi_value prototype = nullptr;
  if (napi_get_prototype(env, Napi::ArrayBuffer::New(env, 0), &prototype) != napi_ok) return {};
  try {
    const Napi::Value constructor = Napi::Object(env, prototype).Get("constructor");
    if (!constructor.IsFunction()) return {};
    const bool is_own = constructor.As<Napi::Function>().Get("prototype").StrictEquals(Napi::Value(env, prototype));
    return is_own ? Napi::Persistent(constructor.As<Napi::Function>()) : Napi::FunctionReference();
  } catch (const Napi::Error&) {
    // The property is a getter that throws.
    return {};
  }
}

Napi::ArrayBuffer NewArrayBuffer(Napi::Env env, uint64_t size) {
  const Napi::FunctionReference& constructor = AddonState::Of(env).array_buffer_constructor;
  Napi::ArrayBuffer buffer;
  if (!constructor.IsEmpty()) {
    buffer = Construct(env, constructor, size);
  } else if (size == 0 || CanAllocate(size)) {
    buffer = Napi::ArrayBuffer::New(env, static_cast<size_t>(size));
  }
  if (buffer.IsEmpty() || buffer.IsDetached() || buffer.ByteLength() != size) {
    throw Failure("ERR_OUT_OF_MEMORY", "no ArrayBuffer of " + std::to_string(size) + " bytes can be allocated");
  }
  return buffer;
}

}  // namespace ndml
