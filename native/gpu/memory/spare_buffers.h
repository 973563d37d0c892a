/**
 * Memory of buffers that were disposed of, for new buffers of the same size (pool.h). A new buffer may take it while the GPU still
 * works with it: the work of a queue is ordered, so the new buffer's commands run after those of the old one.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/memory/pool.h"
#include "gpu/memory/resource.h"

namespace ndml {

class SpareBuffers {
 public:
  explicit SpareBuffers(std::shared_ptr<LiveCounters> counters) : counters_(std::move(counters)) {}
  SpareBuffers(const SpareBuffers&) = delete;
  SpareBuffers& operator=(const SpareBuffers&) = delete;

  /** Returns memory for a buffer of `size` bytes, none of which is defined; null if there is none of this size. */
  std::shared_ptr<Resource> Take(uint64_t size);
  /** Keeps the memory of a buffer, unless something else than a list of commands still uses it. */
  void Keep(std::shared_ptr<Resource> resource);
  uint64_t bytes() const;
  /** Frees what was not used since `before`. */
  void Trim(Clock::time_point before) { TrimTo(idle_, 0, before); }

 private:
  struct Entry {
    std::shared_ptr<Resource> resource;
    /** When it was kept. */
    Clock::time_point idle_since;
  };

  std::shared_ptr<LiveCounters> counters_;
  /** In the order in which they were kept. */
  std::vector<Entry> idle_;
};

}  // namespace ndml
