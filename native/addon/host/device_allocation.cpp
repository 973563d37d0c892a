#include "addon/host/device_allocation.h"

#include "addon/environment/external_memory.h"
#include "addon/values/array_buffer.h"

namespace ndml {

namespace {

/** How long a failed allocation waits for the GPU before it is tried again. */
constexpr DWORD kReclaimTimeoutMs = 1000;
/** A failed allocation is not tried again if it is more than 64 times as large as all of the device's buffers. */
constexpr uint64_t kMaxReclaimFactor = 64;

}  // namespace

// Garbage collection is slow, and frees at most the memory that the device has.
bool MayReclaim(DeviceHost& host, uint64_t size) {
  return static_cast<uint64_t>(host.counters()->allocated_bytes.load()) >= size / kMaxReclaimFactor;
}

void FreeUnused(DeviceHost& host) {
  host.work().Retire();
  host.work().FreeUnused();
}

void Reclaim(DeviceHost& host) {
  CollectGarbage(host.env());
  host.children().FreeCollected();
  const uint64_t submitted = host.work().Submit();
  host.queue().WaitOnThisThread(submitted, kReclaimTimeoutMs);
  FreeUnused(host);
}

std::shared_ptr<Resource> AllocateResource(DeviceHost& host, uint64_t size, D3D12_HEAP_FLAGS flags) {
  host.children().PrepareAllocation(size);
  return RunWithReclaim(host, size,
                        [&] { return CreateResource(host.gpu().d3d12.Get(), size, host.counters(), flags); });
}

void ReserveDispatch(DeviceHost& host, const DML_BINDING_PROPERTIES& properties) {
  RunWithReclaim(host, properties.TemporaryResourceSize, [&] {
    host.wait().ForBatch();
    host.work().recorder().Reserve(properties);
  });
}

Napi::ArrayBuffer AllocateArrayBuffer(DeviceHost& host, uint64_t size) {
  return RunWithReclaim(host, size, [&] { return NewArrayBuffer(host.env(), size); });
}

}  // namespace ndml
