/**
 * ArrayBuffers that a native thread writes to before any script can see them. They are not created by the JavaScript
 * constructor, because a script may have replaced it, and could then keep the buffer and transfer its memory.
 */
#pragma once

#include <napi.h>

#include <cstdint>

namespace ndml {

/** Throws ERR_OUT_OF_MEMORY. Runs no script. */
Napi::ArrayBuffer NewArrayBuffer(Napi::Env env, uint64_t size);

}  // namespace ndml
