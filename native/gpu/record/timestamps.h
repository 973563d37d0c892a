/**
 * The GPU time of command lists and of single dispatches, by timestamp queries. A stamp is taken when the GPU has
 * finished everything recorded before it in its list.
 *
 * Contract: used on the JavaScript thread, for one list at a time: between the constructor of a `ListStamps` and its `End`, no
 * other may be constructed. A list keeps its `ListStamps` until the GPU has finished it, then calls `Collect`.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/memory/counters.h"
#include "platform/com_ptr.h"

namespace ndml {

/** Queries, and the mapped memory to which the GPU copies their results. Several command lists share it. */
struct StampBlock {
  ComPtr<ID3D12QueryHeap> heap;
  ComPtr<ID3D12Resource> readback;
  const uint64_t* ticks = nullptr;
  UINT used = 0;
  CountedBytes counted;
  CountedBytes in_flight;
};

/** The times of everything that was recorded while one profile ran. Complete when the last of its lists is collected. */
class Profile {
 public:
  /** `frequency` is in ticks per second, not 0. Throws ERR_OUT_OF_MEMORY. */
  Profile(ComPtr<ID3D12Device> device, uint64_t frequency, std::shared_ptr<LiveCounters> counters);
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  /** The sum of the times of all lists, without the gaps between them. */
  double TotalMilliseconds() const { return Milliseconds(total_ticks_); }
  /** The dispatches that were measured individually have indices from 0 to `dispatch_count()` - 1. */
  size_t dispatch_count() const { return dispatch_ticks_.size(); }
  double DispatchMilliseconds(size_t index) const { return Milliseconds(dispatch_ticks_[index]); }

  /** Adds a dispatch to measure; returns its index. */
  size_t AddDispatch();

 private:
  friend class ListStamps;

  double Milliseconds(uint64_t ticks) const {
    return static_cast<double>(ticks) * 1000.0 / static_cast<double>(frequency_);
  }
  /** Returns a block that has room for the stamps of a list. */
  const std::shared_ptr<StampBlock>& BlockForList();

  ComPtr<ID3D12Device> device_;
  uint64_t frequency_;
  std::shared_ptr<LiveCounters> counters_;
  /** The last block is being filled. Earlier blocks that no list uses any more are reused. */
  std::vector<std::shared_ptr<StampBlock>> blocks_;
  uint64_t total_ticks_ = 0;
  std::vector<uint64_t> dispatch_ticks_;
};

/** The stamps of one command list, or of several that are submitted together. */
class ListStamps {
 public:
  /** Records the first stamp. */
  ListStamps(std::shared_ptr<Profile> profile, ID3D12GraphicsCommandList* list);

  /** Call for each command that is not an individually measured dispatch. */
  void MarkCommand() { is_last_command_ = false; }
  /** Call before a dispatch that is measured individually, and `EndDispatch` after it. */
  void BeginDispatch(ID3D12GraphicsCommandList* list);
  /** `index` is the result of Profile::AddDispatch. */
  void EndDispatch(ID3D12GraphicsCommandList* list, size_t index);
  /** Records the last stamp, and a copy of the results to the CPU. Only `Close` may follow. */
  void End(ID3D12GraphicsCommandList* list);
  /** Adds the times to the profile. */
  void Collect() const;

 private:
  /** The dispatch lasts from stamp `end - 1` to stamp `end`. */
  struct Dispatch {
    size_t index;
    UINT end;
  };

  void Stamp(ID3D12GraphicsCommandList* list);
  uint64_t TicksBetween(UINT begin, UINT end) const;

  std::shared_ptr<Profile> profile_;
  std::shared_ptr<StampBlock> block_;
  UINT first_;
  UINT last_ = 0;
  /** True while nothing was recorded after the last stamp. */
  bool is_last_command_ = false;
  std::vector<Dispatch> dispatches_;
};

}  // namespace ndml
