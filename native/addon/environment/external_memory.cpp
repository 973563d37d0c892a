#include "addon/environment/external_memory.h"

#include <cstdlib>
#include <utility>

namespace ndml {

namespace {

/** More external memory than any engine tolerates: reporting it makes the engine collect garbage at once. */
constexpr int64_t kMemoryPressure = int64_t{1} << 40;
/** Changes of the pooled memory that are smaller than this are not reported, in bytes. */
constexpr int64_t kToldStep = 1024 * 1024;

}  // namespace

void AdjustExternalMemory(napi_env env, int64_t change) {
  int64_t total = 0;
  if (change != 0) napi_adjust_external_memory(env, change, &total);
}

void CollectGarbage(napi_env env) {
  // Twice, because a collection that is already running does not free objects created since it began.
  for (const int64_t change : {kMemoryPressure, -kMemoryPressure, kMemoryPressure, -kMemoryPressure}) {
    AdjustExternalMemory(env, change);
  }
}

void PooledMemoryReport::Update() {
  const int64_t pooled = counters_->staging_bytes + counters_->temporary_bytes + counters_->descriptor_bytes;
  if (std::abs(pooled - told_) >= kToldStep) Tell(pooled);
}

void PooledMemoryReport::End() { Tell(0); }

void PooledMemoryReport::Tell(int64_t bytes) { AdjustExternalMemory(env_, bytes - std::exchange(told_, bytes)); }

}  // namespace ndml
