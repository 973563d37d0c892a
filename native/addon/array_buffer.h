/**
 * ArrayBuffers that a native thread writes to before any script can see them. So no constructor makes them: a script may have
 * replaced each that can be found, and would keep the buffer and transfer its memory away.
 */
#pragma once

#include <napi.h>

#include <cstdint>

namespace ndml {

/** Throws ERR_OUT_OF_MEMORY. Runs no script. */
Napi::ArrayBuffer NewArrayBuffer(Napi::Env env, uint64_t size);

}  // namespace ndml
