/**
 * Common parts of the pools in this folder. A batch acquires entries from a pool, and releases them when the GPU has
 * finished the batch. A pool keeps released entries up to a limit, and frees entries unused for a second, except for a
 * small reserve. Pools are used on the JavaScript thread only.
 */
#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace ndml {

using Clock = std::chrono::steady_clock;

/** How long a pool keeps an unused entry. */
constexpr Clock::duration kIdleTime = std::chrono::seconds(1);

/** Removes entry `index` from a pool and returns it. */
template <typename Entry>
Entry TakeOut(std::vector<Entry>& idle, size_t index) {
  Entry entry = std::move(idle[index]);
  idle.erase(idle.begin() + static_cast<ptrdiff_t>(index));
  return entry;
}

/** Frees the entries that were released at or before `before`, oldest first, until `reserve` are left. */
template <typename Entry>
void TrimTo(std::vector<Entry>& idle, size_t reserve, Clock::time_point before) {
  size_t old = 0;
  while (idle.size() - old > reserve && idle[old].idle_since <= before) ++old;
  idle.erase(idle.begin(), idle.begin() + static_cast<ptrdiff_t>(old));
}

}  // namespace ndml
