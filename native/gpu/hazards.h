/**
 * The barriers of one command list: what state each buffer is in, and which accesses the next command must wait for.
 *
 * Contract: every command's buffers are announced before it is recorded, and `Flush` comes between the two. A buffer is
 * kept alive from its first use on, for as long as this lives.
 */
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "gpu/resource.h"

namespace ndml {

struct ResourceUse {
  std::shared_ptr<Resource> resource;
  bool write;
};

class Hazards {
 public:
  /** For a list that nothing is recorded in yet, and that outlives this. */
  explicit Hazards(ID3D12GraphicsCommandList* list) : list_(list) {}

  /** Before a copy from the buffer, or into its bytes from `begin` to `end`. */
  void UseForCopy(const std::shared_ptr<Resource>& resource, D3D12_RESOURCE_STATES state, uint64_t begin, uint64_t end);
  /** Before a dispatch that reads and writes these buffers as unordered access views. */
  void UseForDispatch(const std::vector<ResourceUse>& uses);
  /** Records the barriers that are due. */
  void Flush();

 private:
  /** Between command lists a buffer decays to COMMON, and a submission boundary orders all access before it. */
  struct Access {
    std::shared_ptr<Resource> resource;
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
    /** Barrier epochs in which it was last read or written as an unordered access view. */
    uint64_t read_epoch = 0;
    uint64_t write_epoch = 0;
    /** Bytes copied into it since it entered COPY_DEST. */
    uint64_t copied_begin = 0;
    uint64_t copied_end = 0;
  };

  Access& AccessOf(const std::shared_ptr<Resource>& resource);
  void Transition(Access* access, D3D12_RESOURCE_STATES after);

  ID3D12GraphicsCommandList* list_;
  std::unordered_map<const Resource*, Access> accesses_;
  /** Of the dispatch being announced: what is in the map stays where it is. */
  std::vector<Access*> found_;
  std::vector<D3D12_RESOURCE_BARRIER> barriers_;
  /** Raised by every global unordered-access barrier. */
  uint64_t epoch_ = 1;
};

}  // namespace ndml
