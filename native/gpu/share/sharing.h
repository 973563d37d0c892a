/**
 * Resources and fences that a device shares with other code in the process. Everything is checked before it is used, and
 * ERR_NOT_SHAREABLE says what is wrong.
 */
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "gpu/device/device.h"
#include "gpu/memory/resource.h"
#include "gpu/share/shared_handles.h"

namespace ndml {

struct SharedFence {
  ComPtr<ID3D12Fence> d3d12;
  /** The last value that was signalled through this device. */
  uint64_t last_signalled = 0;
  /** A handle by which other code shares the fence. Null if there is none. */
  UniqueHandle shared_handle;
};

/** Resources or fences by their COM identity and their handles. They are held weakly. */
template <typename T>
class SharedObjects {
 public:
  void Add(IUnknown* object, const std::shared_ptr<T>& shared) {
    for (auto next = objects_.begin(); next != objects_.end();) {
      next = next->second.expired() ? objects_.erase(next) : std::next(next);
    }
    objects_[Identity(object)] = shared;
  }
  /** Opening a handle twice gives two COM objects, so a handle is compared, too. Null if there is none. */
  std::shared_ptr<T> Find(IUnknown* object, HANDLE handle) const {
    const auto found = objects_.find(Identity(object));
    if (std::shared_ptr<T> shared = found == objects_.end() ? nullptr : found->second.lock()) return shared;
    for (const auto& [identity, held] : objects_) {
      std::shared_ptr<T> shared = held.lock();
      if (shared && IsSameObject(shared->shared_handle.Get(), handle)) return shared;
    }
    return nullptr;
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
  /** The same for a resource with D3D12_HEAP_FLAG_SHARED that gets a handle. Its name may be empty. */
  void ExportHandle(const std::shared_ptr<Resource>& resource, const std::wstring& name);
  /** Creates a fence that has a handle. Its name may be empty. */
  std::shared_ptr<SharedFence> CreateFence(const std::wstring& name);
  std::shared_ptr<Resource> ImportBuffer(Foreign foreign);
  std::shared_ptr<Resource> ImportTexture(Foreign foreign);
  std::shared_ptr<SharedFence> ImportFence(Foreign foreign);

 private:
  /** Throws unless the object belongs to this device. */
  void RequireOwnDevice(ID3D12DeviceChild* object, const char* field, const std::string& noun) const;
  ComPtr<ID3D12Resource> ResourceOf(const Foreign& foreign, const std::string& noun) const;
  std::shared_ptr<Resource> Hold(const ComPtr<ID3D12Resource>& resource, uint64_t capacity, UniqueHandle handle);

  const GpuDevice* gpu_;
  SharedObjects<Resource> resources_;
  SharedObjects<SharedFence> fences_;
};

}  // namespace ndml
