/** DeviceMemory of binding.d.ts: the memory that a device currently uses, and its adapter's memory. */
#pragma once

#include <napi.h>

#include <optional>

#include "gpu/device/video_memory.h"
#include "gpu/work/gpu_work.h"

namespace ndml {

/** `adapter` is empty if DXGI does not report the adapter's memory. */
Napi::Object MemoryToJs(Napi::Env env, const LiveCounters& counters, const IdleMemory& idle,
                        const std::optional<VideoMemoryInfo>& adapter);

}  // namespace ndml
