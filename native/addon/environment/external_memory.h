/** Tells the garbage collector about memory outside its heap, so that it collects early enough. */
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "gpu/memory/counters.h"

namespace ndml {

/** Tells the engine that its objects hold `change` more bytes of external memory, or fewer if it is negative. */
void AdjustExternalMemory(napi_env env, int64_t change);

/** Makes the engine collect garbage at once. The finalizers of collected objects run later. */
void CollectGarbage(napi_env env);

/** Tells the engine about the memory that a device holds for its own use. */
class PooledMemoryReport {
 public:
  PooledMemoryReport(napi_env env, std::shared_ptr<const LiveCounters> counters)
      : env_(env), counters_(std::move(counters)) {}

  /** Call it from time to time. Reports changes of 1 MiB or more. */
  void Update();
  /** Reports that the device no longer holds any memory. */
  void End();

 private:
  void Tell(int64_t bytes);

  napi_env env_;
  std::shared_ptr<const LiveCounters> counters_;
  /** The bytes that were last reported. */
  int64_t told_ = 0;
};

}  // namespace ndml
