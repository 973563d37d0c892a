/** Allocates memory for a device. If memory runs out, it frees what nothing uses, then what is garbage, and tries again. */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/host/device_host.h"

namespace ndml {

/** True if Reclaim may free enough for an allocation of `size` bytes. */
bool MayReclaim(DeviceHost& host, uint64_t size);
/** Frees the memory that is kept for later work. */
void FreeUnused(DeviceHost& host);
/** Collects garbage, and waits up to a second until the GPU no longer needs the memory of disposed objects. */
void Reclaim(DeviceHost& host);

/**
 * Runs native calls, like `Run` of the host, that allocate `size` bytes. If memory runs out, runs them again after
 * FreeUnused, and after Reclaim.
 */
template <typename Body>
auto RunWithReclaim(DeviceHost& host, uint64_t size, Body&& body) -> decltype(body()) {
  return host.Run([&] {
    for (const auto release : {FreeUnused, Reclaim}) {
      try {
        return body();
      } catch (const Failure& failure) {
        if (!failure.IsOutOfMemory() || !MayReclaim(host, size)) throw;
      }
      release(host);
    }
    return body();
  });
}

/** Allocates default-heap memory; throws ERR_OUT_OF_MEMORY. Sometimes also frees the memory of collected objects. */
std::shared_ptr<Resource> AllocateResource(DeviceHost& host, uint64_t size,
                                           D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE);
/** Opens a batch, and allocates the temporary resource of a dispatch. Call it directly before recording the dispatch. */
void ReserveDispatch(DeviceHost& host, const DML_BINDING_PROPERTIES& properties);
/** Allocates the target of a read. Runs no script. */
Napi::ArrayBuffer AllocateArrayBuffer(DeviceHost& host, uint64_t size);

}  // namespace ndml
