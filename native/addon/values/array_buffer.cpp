#include "addon/values/array_buffer.h"

#include <string>

#include "platform/compat.h"
#include "platform/failure.h"

namespace ndml {

namespace {

/** Smaller allocations are not checked: if they fail, the engine cannot continue anyway. */
constexpr uint64_t kCheckedBytes = 1024 * 1024;
/** A margin for memory that other threads may take between the check and the allocation. */
constexpr uint64_t kSpareBytes = 64 * 1024 * 1024;

/** True if the process can commit `size` bytes now. Does not touch the memory. */
bool CanAllocate(uint64_t size) {
  void* const memory = ::VirtualAlloc(nullptr, static_cast<SIZE_T>(size), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory == nullptr) return false;
  ::VirtualFree(memory, 0, MEM_RELEASE);
  return true;
}

}  // namespace

Napi::ArrayBuffer NewArrayBuffer(Napi::Env env, uint64_t size) {
  // If memory runs out in napi_create_arraybuffer, it ends the process.
  if (size >= kCheckedBytes && !CanAllocate(size + kSpareBytes)) {
    throw Failure("ERR_OUT_OF_MEMORY", "no ArrayBuffer of " + std::to_string(size) + " bytes can be allocated");
  }
  return Napi::ArrayBuffer::New(env, static_cast<size_t>(size));
}

}  // namespace ndml
