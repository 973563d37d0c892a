/**
 * Memory for JavaScript that a thread writes to before any script knows of it. Node-API's own function ends the process
 * where there is not enough memory, so it is made by the engine's constructor, which throws. That of `globalThis` may
 * be replaced at any time, by one that hands the buffer around; so the engine's own is looked for when the addon loads.
 */
#pragma once

#include <napi.h>

#include <cstdint>

namespace ndml {

/** The engine's constructor, by way of a buffer of the engine's; empty where a script has put something else there. */
Napi::FunctionReference FindArrayBufferConstructor(Napi::Env env);

/** Throws ERR_OUT_OF_MEMORY. Runs no script, unless one replaced the constructor before the addon was loaded. */
Napi::ArrayBuffer NewArrayBuffer(Napi::Env env, uint64_t size);

}  // namespace ndml
