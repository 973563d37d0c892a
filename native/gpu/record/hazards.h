/**
 * The resource barriers of one command list: tracks the state of each buffer and the accesses that the next command
 * must wait for.
 *
 * Contract: before a command is recorded, announce its buffers with `UseFor…`, then call `Flush`. A buffer is kept
 * alive from its first use until this object is destroyed.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gpu/memory/resource.h"

namespace ndml {

/** Keeps a resource alive for a list of commands. */
class ListHold {
 public:
  ListHold() = default;
  explicit ListHold(std::shared_ptr<Resource> resource) : resource_(std::move(resource)) { ++resource_->lists; }
  ListHold(ListHold&& other) noexcept : resource_(std::move(other.resource_)) {}
  ListHold& operator=(ListHold&& other) noexcept {
    std::swap(resource_, other.resource_);
    return *this;
  }
  ~ListHold() {
    if (resource_) --resource_->lists;
  }
  const std::shared_ptr<Resource>& resource() const { return resource_; }

 private:
  std::shared_ptr<Resource> resource_;
};

struct ResourceUse {
  /** A pointer that the command keeps, because counting a reference takes longer than the rest of a use. */
  const std::shared_ptr<Resource>* resource;
  bool write;
  /** True if the command writes all bytes of the resource and reads none of them. */
  bool overwrites = false;
};

class Hazards {
 public:
  /** `list` must be empty and must outlive this object. */
  explicit Hazards(ID3D12GraphicsCommandList* list) : list_(list) {}

  /** Call before a copy from the buffer (state COPY_SOURCE) or into its bytes `begin` to `end` (state COPY_DEST). */
  void UseForCopy(const std::shared_ptr<Resource>& resource, D3D12_RESOURCE_STATES state, uint64_t begin, uint64_t end);
  /** Call before a dispatch that reads or writes these buffers as unordered access views (UAV). */
  void UseForDispatch(const std::vector<ResourceUse>& uses);
  /**
   * Call before a copy from the texture (state COPY_SOURCE) or into it (state COPY_DEST), and `EndTextureCopy` after it. Unlike
   * buffers, textures do not return to COMMON by themselves, where other code expects them.
   */
  void UseTexture(const std::shared_ptr<Resource>& texture, D3D12_RESOURCE_STATES state) {
    Transition(&AccessOf(texture), state);
  }
  void EndTextureCopy(const std::shared_ptr<Resource>& texture) {
    Transition(&AccessOf(texture), D3D12_RESOURCE_STATE_COMMON);
    Flush();
  }
  /** Records the pending barriers. */
  void Flush();

 private:
  /** Starts in COMMON: buffers decay to it between command lists, and a submission orders all accesses before it. */
  struct Access {
    ListHold held;
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
    /** The barrier epochs of its last read and last write as an unordered access view. */
    uint64_t read_epoch = 0;
    uint64_t write_epoch = 0;
    /** Range of the bytes copied into it since it entered COPY_DEST. */
    uint64_t copied_begin = 0;
    uint64_t copied_end = 0;
  };

  Access& AccessOf(const std::shared_ptr<Resource>& resource);
  void Transition(Access* access, D3D12_RESOURCE_STATES after);

  ID3D12GraphicsCommandList* list_;
  std::unordered_map<const Resource*, Access> accesses_;
  /** The accesses of the dispatch being announced. The map never moves its elements, so the pointers stay valid. */
  std::vector<Access*> dispatch_accesses_;
  std::vector<D3D12_RESOURCE_BARRIER> barriers_;
  /** Incremented by every global UAV barrier. */
  uint64_t epoch_ = 1;
};

}  // namespace ndml
