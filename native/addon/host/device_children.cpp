#include "addon/host/device_children.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "addon/environment/external_memory.h"

namespace ndml {

namespace {

/**
 * FreeCollected scans all children, so it does not run at every allocation. It runs once the bytes allocated since the last
 * scan reach kBytesBetweenScans or a quarter of the children's bytes, whichever is more, or once the allocations reach
 * kAllocationsBetweenScans or half the number of children, whichever is more.
 */
constexpr uint64_t kBytesBetweenScans = 32 * 1024 * 1024;
constexpr size_t kAllocationsBetweenScans = 256;

}  // namespace

void DeviceChildren::Add(DeviceChild* child, uint64_t bytes) {
  children_.insert(child);
  bytes_ += bytes;
  AdjustExternalMemory(env_, static_cast<int64_t>(bytes));
}

void DeviceChildren::Remove(DeviceChild* child, uint64_t bytes) {
  children_.erase(child);
  bytes_ -= bytes;
  AdjustExternalMemory(env_, -static_cast<int64_t>(bytes));
}

void DeviceChildren::PrepareAllocation(uint64_t size) {
  allocated_bytes_ += size;
  ++allocated_count_;
  if (allocated_bytes_ >= std::max(kBytesBetweenScans, bytes_ / 4) ||
      allocated_count_ >= std::max(kAllocationsBetweenScans, children_.size() / 2)) {
    FreeCollected();
  }
}

void DeviceChildren::FreeCollected() {
  allocated_bytes_ = 0;
  allocated_count_ = 0;
  const Napi::HandleScope scope(env_);
  std::vector<DeviceChild*> collected;
  std::copy_if(children_.begin(), children_.end(), std::back_inserter(collected),
               [](DeviceChild* child) { return child->IsCollected(); });
  for (DeviceChild* child : collected) child->ReleaseNative();
}

void DeviceChildren::ReleaseAll() {
  const std::unordered_set<DeviceChild*> children = std::exchange(children_, {});
  for (DeviceChild* child : children) child->ReleaseNative();
}

}  // namespace ndml
