/** What the garbage collector is told of memory outside of its heap, so that it collects early enough. */
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "gpu/counters.h"

namespace ndml {

/** Tells the engine that so many bytes more, or fewer, live and die with its objects. */
void AdjustExternalMemory(napi_env env, int64_t change);

/** Makes the engine collect garbage at once. The finalizers of collected objects run later. */
void CollectGarbage(napi_env env);

/** Tells the engine of the memory that a device holds for its own use. */
class PooledMemoryReport {
 public:
  PooledMemoryReport(napi_env env, std::shared_ptr<const LiveCounters> counters)
      : env_(env), counters_(std::move(counters)) {}

  /** Call it now and then. Small changes are not told. */
  void Update();
  /** The device holds none any more. */
  void End();

 private:
  void Tell(int64_t bytes);

  napi_env env_;
  std::shared_ptr<const LiveCounters> counters_;
  /** The bytes that were told. */
  int64_t told_ = 0;
};

}  // namespace ndml
