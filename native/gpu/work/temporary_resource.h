/**
 * The temporary resource that all dispatches share: they run one after the other, ordered by barriers within a batch and by
 * the queue between batches. When it is replaced by a larger one, it lives until its last batch is finished.
 */
#pragma once

#include <memory>

#include "gpu/memory/last_use.h"
#include "gpu/queue/command_queue.h"

namespace ndml {

class TemporaryResource {
 public:
  TemporaryResource(ID3D12Device* device, const CommandQueue* queue, std::shared_ptr<LiveCounters> counters)
      : device_(device), queue_(queue), counters_(std::move(counters)) {}

  /** Returns the resource, of at least `size` bytes, for the batch being recorded. Throws ERR_OUT_OF_MEMORY. */
  const std::shared_ptr<Resource>& Get(uint64_t size);
  /** `completed` is the fence value that the GPU has passed. Frees the resource if it was unused for a second. */
  void Retire(uint64_t completed, Clock::time_point now) {
    use_.Update(completed, now);
    Trim(now - kIdleTime);
  }
  /** Frees the resource if it was not used since `before`, unless it is small. */
  void Trim(Clock::time_point before);
  /** The size of the resource if no work uses it; else 0. */
  uint64_t IdleBytes() const { return resource_.use_count() == 1 ? resource_->capacity : 0; }

 private:
  ID3D12Device* device_;
  const CommandQueue* queue_;
  std::shared_ptr<LiveCounters> counters_;
  /** Null until first used. */
  std::shared_ptr<Resource> resource_;
  LastUse use_;
};

}  // namespace ndml
