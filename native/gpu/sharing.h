/**
 * Resources and fences that a device shares with other code in the process. Everything is checked before it is used, and
 * ERR_NOT_SHAREABLE says what is wrong.
 */
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "gpu/device.h"
#include "gpu/resource.h"

namespace ndml {

struct SharedFence {
  ComPtr<ID3D12Fence> d3d12;
  /** The last value that was signalled through this device. */
  uint64_t last_signalled = 0;
};

/** Objects by their COM identity. They are held weakly. */
template <typename T>
class ByIdentity {
 public:
  void Add(IUnknown* object, const std::shared_ptr<T>& shared) {
    for (auto next = objects_.begin(); next != objects_.end();) {
      next = next->second.expired() ? objects_.erase(next) : std::next(next);
    }
    objects_[Identity(object)] = shared;
  }
  /** Null if there is none. */
  std::shared_ptr<T> Find(IUnknown* object) const {
    const auto found = objects_.find(Identity(object));
    return found == objects_.end() ? nullptr : found->second.lock();
  }

 private:
  /** Only IUnknown pointers of an object are always equal. */
  static const IUnknown* Identity(IUnknown* object) { return ComPtr<IUnknown>(object).As<IUnknown>().Get(); }

  std::unordered_map<const IUnknown*, std::weak_ptr<T>> objects_;
};

/**
 * What a device shares with other code. A resource that is imported twice, or exported and imported again, is one
 * Resource, because barriers need to know all uses of its memory.
 */
class Sharing {
 public:
  explicit Sharing(const GpuDevice* gpu) : gpu_(gpu) {}
  Sharing(const Sharing&) = delete;
  Sharing& operator=(const Sharing&) = delete;

  /** Call it before other code gets the resource. */
  void Export(const std::shared_ptr<Resource>& resource);
  std::shared_ptr<Resource> ImportBuffer(const ComPtr<IUnknown>& object);
  std::shared_ptr<Resource> ImportTexture(const ComPtr<IUnknown>& object);
  std::shared_ptr<SharedFence> ImportFence(const ComPtr<IUnknown>& object);

 private:
  /** Throws unless the object belongs to this device. */
  void RequireOwnDevice(ID3D12DeviceChild* object, const std::string& noun) const;
  ComPtr<ID3D12Resource> ResourceOf(const ComPtr<IUnknown>& object, const std::string& noun) const;
  std::shared_ptr<Resource> Hold(const ComPtr<ID3D12Resource>& resource, uint64_t capacity);

  const GpuDevice* gpu_;
  ByIdentity<Resource> resources_;
  ByIdentity<SharedFence> fences_;
};

}  // namespace ndml
