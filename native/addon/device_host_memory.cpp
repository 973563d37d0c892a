/** The part of the device host that allocates memory, and collects garbage when memory runs out. */
#include <algorithm>
#include <iterator>
#include <vector>

#include "addon/device_host.h"

namespace ndml {

namespace {

/** How long a failed allocation waits for the GPU before it is tried again. */
constexpr DWORD kReclaimTimeoutMs = 1000;
/**
 * FreeCollected scans every child, so it does not run at every allocation. It runs once the bytes allocated since the
 * last scan reach this or a quarter of the children's bytes, whichever is more, or the allocations this or half the
 * children.
 */
constexpr uint64_t kBytesBetweenScans = 32 * 1024 * 1024;
constexpr size_t kAllocationsBetweenScans = 256;
/** A failed allocation is not tried again if it is more than 64 times as large as all of the device's buffers. */
constexpr uint64_t kMaxReclaimFactor = 64;
/** More external memory than any engine tolerates: reporting it makes the engine collect garbage at once. */
constexpr int64_t kMemoryPressure = int64_t{1} << 40;

}  // namespace

template <typename Body>
auto DeviceHost::RunWithReclaim(uint64_t size, Body&& body) -> decltype(body()) {
  return Run([&] {
    try {
      return body();
    } catch (const Failure& failure) {
      // Garbage collection is slow, and frees at most what the objects hold.
      if (!failure.IsOutOfMemory() || child_bytes_ < size / kMaxReclaimFactor) throw;
    }
    Reclaim();
    return body();
  });
}

std::shared_ptr<Resource> DeviceHost::Allocate(uint64_t size) {
  allocated_bytes_ += size;
  ++allocated_count_;
  if (allocated_bytes_ >= std::max(kBytesBetweenScans, child_bytes_ / 4) ||
      allocated_count_ >= std::max(kAllocationsBetweenScans, children_.size() / 2)) {
    FreeCollected();
  }
  return RunWithReclaim(size, [&] { return CreateResource(gpu_.d3d12.Get(), size); });
}

void DeviceHost::Reserve(const DML_BINDING_PROPERTIES& properties) {
  RunWithReclaim(properties.TemporaryResourceSize, [&] { recorder_->Reserve(properties); });
}

void DeviceHost::Replay(const std::shared_ptr<Frame>& frame) {
  RunWithReclaim(0, [&] { recorder_->Replay(frame); });
}

void DeviceHost::FreeCollected() {
  allocated_bytes_ = 0;
  allocated_count_ = 0;
  const Napi::HandleScope scope(env_);
  std::vector<DeviceChild*> collected;
  std::copy_if(children_.begin(), children_.end(), std::back_inserter(collected),
               [](DeviceChild* child) { return child->IsCollected(); });
  for (DeviceChild* child : collected) child->ReleaseNative();
}

void DeviceHost::Reclaim() {
  // Twice, because a collection that is already under way keeps the objects created since it began.
  for (const int64_t change : {kMemoryPressure, -kMemoryPressure, kMemoryPressure, -kMemoryPressure}) {
    int64_t total = 0;
    napi_adjust_external_memory(env_, change, &total);
  }
  FreeCollected();
  const uint64_t submitted = recorder_->Submit();
  queue_->WaitOnThisThread(submitted, kReclaimTimeoutMs);
  recorder_->Retire();
  recorder_->FreeUnused();
}

}  // namespace ndml
