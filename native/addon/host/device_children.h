/** The buffers, operators and recordings of a device. The device releases them when it closes. */
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace ndml {

/** An object of the device. It releases its memory when the device closes. */
class DeviceChild {
 public:
  virtual void ReleaseNative() = 0;
  /** True once its JavaScript object has been garbage-collected. */
  virtual bool IsCollected() = 0;

 protected:
  ~DeviceChild() = default;
};

class DeviceChildren {
 public:
  explicit DeviceChildren(Napi::Env env) : env_(env) {}
  DeviceChildren(const DeviceChildren&) = delete;
  DeviceChildren& operator=(const DeviceChildren&) = delete;

  /** `bytes` is the memory that the child holds. It is reported to the garbage collector. */
  void Add(DeviceChild* child, uint64_t bytes);
  void Remove(DeviceChild* child, uint64_t bytes);
  /** The memory that all children hold, in bytes. */
  uint64_t bytes() const { return bytes_; }

  /** Call before `size` bytes are allocated for a child. From time to time it calls FreeCollected. */
  void PrepareAllocation(uint64_t size);
  /**
   * Releases the children whose JavaScript objects were collected. Node-API runs their finalizers only at the next turn
   * of the event loop, and a program may allocate a lot before that.
   */
  void FreeCollected();
  void ReleaseAll();

 private:
  Napi::Env env_;
  std::unordered_set<DeviceChild*> children_;
  uint64_t bytes_ = 0;
  /** Bytes and allocations since the last call of FreeCollected. */
  uint64_t allocated_bytes_ = 0;
  size_t allocated_count_ = 0;
};

}  // namespace ndml
