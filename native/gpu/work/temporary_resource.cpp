#include "gpu/work/temporary_resource.h"

#include <algorithm>

#include "gpu/memory/recorder_limits.h"
#include "gpu/memory/upload_pool.h"
#include "platform/failure.h"

namespace ndml {

const std::shared_ptr<Resource>& TemporaryResource::Get(uint64_t size) {
  const uint64_t capacity = resource_ ? resource_->capacity : 0;
  if (2 * size > capacity) use_.Use(queue_->last_submitted() + 1);
  if (size <= capacity) return resource_;
  resource_.reset();
  const auto create = [&](uint64_t wanted) {
    resource_ = CreateResource(device_, SizeClass(wanted), counters_);
    resource_->counted = CountedBytes(counters_, &LiveCounters::temporary_bytes, resource_->capacity);
  };
  try {
    // Grows by at least half, so that only few sizes are in flight at a time.
    create(std::max(size, capacity + capacity / 2));
  } catch (const Failure& failure) {
    if (!failure.IsOutOfMemory()) throw;
    create(size);
  }
  return resource_;
}

void TemporaryResource::Trim(Clock::time_point before) {
  // If a recording uses the resource, a reset would free nothing, and the next dispatch would allocate another one.
  const bool is_alone = resource_.use_count() == 1;
  if (is_alone && resource_->capacity > kReservedTemporaryBytes && use_.IsOver(before)) resource_.reset();
}

}  // namespace ndml
