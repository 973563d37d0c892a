/**
 * Direct3D's debug layer, which belongs to the whole process. Turning it on removes every existing device, so the
 * devices of all environments are counted here. Devices on the same adapter share one message queue. Native calls
 * therefore take turns while the layer is on, so that a failed call finds only its own messages in the queue.
 */
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpu/device/d3d12_library.h"
#include "platform/com_ptr.h"
#include "platform/failure.h"

namespace ndml {

/** Counts a Direct3D device. Taken before the device is created, and held until it is destroyed. */
class DeviceLease {
 public:
  DeviceLease() = default;
  DeviceLease(DeviceLease&& other) noexcept : counted_(std::exchange(other.counted_, false)) {}
  DeviceLease& operator=(DeviceLease&& other) noexcept {
    std::swap(counted_, other.counted_);
    return *this;
  }
  DeviceLease(const DeviceLease&) = delete;
  DeviceLease& operator=(const DeviceLease&) = delete;
  ~DeviceLease();

  /**
   * With `debug`, first turns the layer on if it is off. Throws ERR_INVALID_ARGUMENT if that would remove existing
   * devices, and ERR_NATIVE_CALL if the layer is not installed.
   */
  static DeviceLease Take(const D3D12Library& library, bool debug);

 private:
  bool counted_ = false;
};

/** Lets one native call run at a time while the debug layer is on. If it is off, `queue` is null, and this does nothing. */
class DebugTurn {
 public:
  explicit DebugTurn(ID3D12InfoQueue* queue);
  ~DebugTurn();
  DebugTurn(const DebugTurn&) = delete;
  DebugTurn& operator=(const DebugTurn&) = delete;

  /** Returns the layer's messages since the turn began, at most 32, and clears them. */
  std::vector<std::string> TakeMessages();

 private:
  ID3D12InfoQueue* queue_;
};

/** Runs native calls in a turn. A failure carries the debug layer's messages. Must not be nested. */
template <typename Body>
auto WithDebugMessages(ID3D12InfoQueue* queue, Body&& body) -> decltype(body()) {
  DebugTurn turn(queue);
  try {
    return body();
  } catch (Failure& failure) {
    failure.DebugMessages(turn.TakeMessages());
    throw;
  }
}

}  // namespace ndml
