#include "gpu/record/hazards.h"

#include <algorithm>

namespace ndml {

void Hazards::UseForCopy(const std::shared_ptr<Resource>& resource, D3D12_RESOURCE_STATES state, uint64_t begin,
                         uint64_t end) {
  Access& access = AccessOf(resource);
  const bool overlaps = begin < access.copied_end && access.copied_begin < end;
  if (access.state == state && !(state == D3D12_RESOURCE_STATE_COPY_DEST && overlaps)) {
    access.copied_begin = std::min(access.copied_begin, begin);
    access.copied_end = std::max(access.copied_end, end);
    return;
  }
  if (access.state == state) {
    // Two copies into the same bytes: a transition to COMMON and back orders them.
    Transition(&access, D3D12_RESOURCE_STATE_COMMON);
    Flush();
    Transition(&access, state);
  } else if (access.state != D3D12_RESOURCE_STATE_COMMON) {
    Transition(&access, state);
  }
  access.state = state;
  access.copied_begin = begin;
  access.copied_end = end;
}

void Hazards::UseForDispatch(const std::vector<ResourceUse>& uses) {
  bool hazard = false;
  dispatch_accesses_.clear();
  for (const ResourceUse& use : uses) {
    Access& access = AccessOf(*use.resource);
    dispatch_accesses_.push_back(&access);
    if (access.state != D3D12_RESOURCE_STATE_UNORDERED_ACCESS) {
      // In COMMON a buffer is promoted by its first use. In any other state, the transition orders all earlier
      // accesses.
      if (access.state != D3D12_RESOURCE_STATE_COMMON) Transition(&access, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
      access.state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
      access.read_epoch = 0;
      access.write_epoch = 0;
    } else if (access.write_epoch == epoch_ || (use.write && access.read_epoch == epoch_)) {
      hazard = true;
    }
  }
  if (hazard) {
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    barriers_.push_back(barrier);
    ++epoch_;
  }
  for (size_t i = 0; i < uses.size(); ++i) {
    (uses[i].write ? dispatch_accesses_[i]->write_epoch : dispatch_accesses_[i]->read_epoch) = epoch_;
  }
}

void Hazards::Flush() {
  if (barriers_.empty()) return;
  list_->ResourceBarrier(static_cast<UINT>(barriers_.size()), barriers_.data());
  barriers_.clear();
}

Hazards::Access& Hazards::AccessOf(const std::shared_ptr<Resource>& resource) {
  Access& access = accesses_[resource.get()];
  if (!access.held.resource()) access.held = ListHold(resource);
  return access;
}

void Hazards::Transition(Access* access, D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition.pResource = access->held.resource()->d3d12.Get();
  barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
  barrier.Transition.StateBefore = access->state;
  barrier.Transition.StateAfter = after;
  barriers_.push_back(barrier);
  access->state = after;
}

}  // namespace ndml
