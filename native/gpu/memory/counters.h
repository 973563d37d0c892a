/** Counters of native objects and of their memory. */
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace ndml {

/** The counters of an environment, or those of one of its devices. They are shared, because objects may outlive both. */
struct LiveCounters {
  LiveCounters() = default;
  /** For a device: every change is also added to the counters of its environment. */
  explicit LiveCounters(std::shared_ptr<LiveCounters> environment, uint64_t limit = UINT64_MAX)
      : memory_limit(limit), whole(std::move(environment)) {}

  using Counter = std::atomic<int64_t> LiveCounters::*;

  void Add(Counter counter, int64_t change) {
    this->*counter += change;
    if (whole) whole->Add(counter, change);
  }

  /** The most that `allocated_bytes` may become. */
  const uint64_t memory_limit = UINT64_MAX;

  std::atomic<int64_t> devices{0};
  std::atomic<int64_t> buffers{0};
  std::atomic<int64_t> operators{0};
  std::atomic<int64_t> recordings{0};
  std::atomic<int64_t> textures{0};
  std::atomic<int64_t> fences{0};
  /** The sizes of JavaScript's buffers. */
  std::atomic<int64_t> buffer_bytes{0};
  std::atomic<int64_t> persistent_bytes{0};
  /** The device's own memory, by whatever holds it: buffers, persistent and temporary resources, and what the GPU still uses. */
  std::atomic<int64_t> allocated_bytes{0};
  /** Memory that devices hold for their own use, pooled or in use. */
  std::atomic<int64_t> staging_bytes{0};
  std::atomic<int64_t> temporary_bytes{0};
  std::atomic<int64_t> descriptor_bytes{0};
  /** Staging memory of unfinished uploads and reads. */
  std::atomic<int64_t> bytes_in_flight{0};

 private:
  /** Null for an environment. */
  const std::shared_ptr<LiveCounters> whole;
};

/** Adds bytes to a counter, and subtracts them when it is destroyed. */
class CountedBytes {
 public:
  using Counter = LiveCounters::Counter;

  CountedBytes() = default;
  CountedBytes(std::shared_ptr<LiveCounters> counters, Counter counter, uint64_t bytes)
      : counters_(std::move(counters)), counter_(counter), bytes_(static_cast<int64_t>(bytes)) {
    counters_->Add(counter_, bytes_);
  }
  CountedBytes(CountedBytes&& other) noexcept = default;
  CountedBytes& operator=(CountedBytes&& other) noexcept {
    std::swap(counters_, other.counters_);
    std::swap(counter_, other.counter_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  CountedBytes(const CountedBytes&) = delete;
  CountedBytes& operator=(const CountedBytes&) = delete;
  ~CountedBytes() {
    if (counters_) counters_->Add(counter_, -bytes_);
  }

 private:
  /** Null after a move. */
  std::shared_ptr<LiveCounters> counters_;
  Counter counter_ = nullptr;
  int64_t bytes_ = 0;
};

}  // namespace ndml
