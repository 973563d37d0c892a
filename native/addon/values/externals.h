/** The externals of include/node_directml.h: reads those of other addons, and makes those of ours. */
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>

#include "gpu/device/device.h"
#include "gpu/memory/resource.h"
#include "gpu/share/shared_handles.h"

namespace ndml {

/** Bytes of a buffer of other code. */
struct ForeignBytes {
  Foreign foreign;
  uint64_t offset = 0;
  /** UINT64_MAX stands for all bytes from the offset. */
  uint64_t size = UINT64_MAX;
};

/** Throws ERR_INVALID_ARGUMENT for a value that is no external, ERR_NOT_SHAREABLE for one that other code has made. */
Foreign ReadComObject(const Napi::Value& external);
/** Like ReadComObject, but also reads `buffer.native`. */
ForeignBytes ReadForeignBytes(const Napi::Value& external);

/** The value of a handle as a bigint; undefined if it is null. */
Napi::Value HandleValue(Napi::Env env, const UniqueHandle& handle);

Napi::Value DeviceExternal(Napi::Env env, const GpuDevice& gpu, ID3D12CommandQueue* queue);
Napi::Value BufferExternal(Napi::Env env, const Resource& resource, uint64_t offset, uint64_t size);

}  // namespace ndml
