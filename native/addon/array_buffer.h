/**
 * ArrayBuffers that a native thread writes to before any script can see them. Node-API's napi_create_arraybuffer ends
 * the process if memory runs out; the engine's ArrayBuffer constructor throws instead, so it is used here. A script may
 * replace `globalThis.ArrayBuffer` at any time by a constructor that leaks the buffer. The engine's own constructor is
 * therefore looked up once, when the addon loads.
 */
#pragma once

#include <napi.h>

#include <cstdint>

namespace ndml {

/** Finds the engine's constructor through the prototype of a new buffer. Empty if a script has replaced it there. */
Napi::FunctionReference FindArrayBufferConstructor(Napi::Env env);

/** Throws ERR_OUT_OF_MEMORY. Runs no script, unless a script replaced the constructor before the addon was loaded. */
Napi::ArrayBuffer NewArrayBuffer(Napi::Env env, uint64_t size);

}  // namespace ndml
