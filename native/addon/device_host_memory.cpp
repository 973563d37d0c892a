/** The part of the device host that allocates: garbage is collected before memory counts as exhausted. */
#include <algorithm>
#include <iterator>
#include <vector>

#include "addon/device_host.h"

namespace ndml {

namespace {

/** How long an allocation that fails waits for the GPU. */
constexpr DWORD kReclaimTimeoutMs = 1000;
/** FreeForgotten looks at every child, so it waits until this has been allocated, or a part of what there is. */
constexpr uint64_t kBytesBetweenLooks = 32 * 1024 * 1024;
constexpr size_t kAllocationsBetweenLooks = 256;
/** A failed allocation of more than so many times what the device's objects hold is not tried again. */
constexpr uint64_t kWorthReclaiming = 64;
/** More external memory than an engine puts up with: told of it, it collects garbage at once. */
constexpr int64_t kMemoryPressure = int64_t{1} << 40;

}  // namespace

template <typename Body>
auto DeviceHost::RunOrReclaim(uint64_t size, Body&& body) -> decltype(body()) {
  return Run([&] {
    try {
      return body();
    } catch (const Failure& failure) {
      // Collecting takes a while, and can bring no more than what the objects hold.
      if (!failure.IsOutOfMemory() || child_bytes_ < size / kWorthReclaiming) throw;
    }
    Reclaim();
    return body();
  });
}

std::shared_ptr<Resource> DeviceHost::Allocate(uint64_t size) {
  allocated_bytes_ += size;
  ++allocated_count_;
  if (allocated_bytes_ >= std::max(kBytesBetweenLooks, child_bytes_ / 4) ||
      allocated_count_ >= std::max(kAllocationsBetweenLooks, children_.size() / 2)) {
    FreeForgotten();
  }
  return RunOrReclaim(size, [&] { return CreateResource(gpu_.d3d12.Get(), size); });
}

void DeviceHost::Reserve(const DML_BINDING_PROPERTIES& properties) {
  RunOrReclaim(properties.TemporaryResourceSize, [&] { recorder_->Reserve(properties); });
}

void DeviceHost::FreeForgotten() {
  allocated_bytes_ = 0;
  allocated_count_ = 0;
  const Napi::HandleScope scope(env_);
  std::vector<DeviceChild*> forgotten;
  std::copy_if(children_.begin(), children_.end(), std::back_inserter(forgotten),
               [](DeviceChild* child) { return child->IsForgotten(); });
  for (DeviceChild* child : forgotten) child->ReleaseNative();
}

void DeviceHost::Reclaim() {
  // Twice: a collection that had begun before keeps what was made since.
  for (const int64_t change : {kMemoryPressure, -kMemoryPressure, kMemoryPressure, -kMemoryPressure}) {
    int64_t total = 0;
    napi_adjust_external_memory(env_, change, &total);
  }
  FreeForgotten();
  const uint64_t submitted = recorder_->Submit();
  queue_->WaitOnThisThread(submitted, kReclaimTimeoutMs);
  recorder_->Retire();
  recorder_->FreeUnused();
}

}  // namespace ndml
