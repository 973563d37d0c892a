/**
 * The base of the JavaScript objects that hold a native object of a device. They release it when they are disposed or
 * collected, or when the device closes. The host keeps track of them and of the memory that they hold.
 */
#pragma once

#include <napi.h>

#include <memory>
#include <utility>

#include "addon/host/device_host.h"
#include "addon/objects/native_object.h"

namespace ndml {

/** `T` is the derived class, see NativeObject; `Held` is the type of the native object. */
template <typename T, typename Held>
class DeviceChildObject : public NativeObject<T>, public DeviceChild {
 public:
  const std::shared_ptr<DeviceHost>& host() const { return host_; }
  void ReleaseNative() override {
    if (!held_) return;
    held_.reset();
    host_->children().Remove(this, bytes_);
    host_->counters()->Add(counter_, -1);
  }
  bool IsCollected() override { return this->Value().IsEmpty(); }

 protected:
  explicit DeviceChildObject(const Napi::CallbackInfo& info) : NativeObject<T>(info) {}
  ~DeviceChildObject() override { DeviceChildObject::ReleaseNative(); }

  /**
   * Call it once, and again only after ReleaseNative. `counter` counts the objects of this class; `bytes` is the memory
   * that this object holds.
   */
  void Hold(std::shared_ptr<DeviceHost> host, std::shared_ptr<Held> held, LiveCounters::Counter counter,
            uint64_t bytes) {
    host_ = std::move(host);
    held_ = std::move(held);
    counter_ = counter;
    bytes_ = bytes;
    host_->children().Add(this, bytes_);
    host_->counters()->Add(counter_, 1);
  }
  /** Null after ReleaseNative. */
  const std::shared_ptr<Held>& held() const { return held_; }

  Napi::Value Dispose(const Napi::CallbackInfo& info) {
    ReleaseNative();
    return info.Env().Undefined();
  }

 private:
  std::shared_ptr<DeviceHost> host_;
  std::shared_ptr<Held> held_;
  LiveCounters::Counter counter_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace ndml
