#include "gpu/memory/spare_buffers.h"

#include <utility>

#include "gpu/memory/recorder_limits.h"

namespace ndml {

std::shared_ptr<Resource> SpareBuffers::Take(uint64_t size) {
  const uint64_t capacity = RoundUp(size, 4);
  for (size_t i = idle_.size(); i-- > 0;) {
    if (idle_[i].resource->capacity != capacity) continue;
    std::shared_ptr<Resource> resource = TakeOut(idle_, i).resource;
    resource->counted = {};
    resource->defined_bytes = 0;
    return resource;
  }
  return nullptr;
}

void SpareBuffers::Keep(std::shared_ptr<Resource> resource) {
  const bool is_used_elsewhere = resource.use_count() > 1 + resource->lists;
  if (is_used_elsewhere || resource->is_visible_outside || resource->capacity > kMaxSpareBytes) return;
  resource->counted = CountedBytes(counters_, &LiveCounters::temporary_bytes, resource->capacity);
  idle_.push_back({std::move(resource), Clock::now()});
  while (idle_.size() > kMaxSpareBuffers || bytes() > kMaxSpareBytes) idle_.erase(idle_.begin());
}

uint64_t SpareBuffers::bytes() const {
  uint64_t sum = 0;
  for (const Entry& entry : idle_) sum += entry.resource->capacity;
  return sum;
}

}  // namespace ndml
