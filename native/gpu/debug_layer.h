/**
 * Direct3D's debug layer, which is one for the whole process. Turning it on removes every device that exists, so
 * devices are counted here, in all environments together. Devices on the same adapter share one queue of messages, so
 * with the layer on, native calls take turns: what a failed call finds in the queue is its own.
 */
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpu/d3d12_library.h"
#include "gpu/failure.h"
#include "platform/com_ptr.h"

namespace ndml {

/** Held for as long as a Direct3D device lives, from before it is created. */
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

  /** With `debug` turns the layer on first, unless it is. Throws where that would remove devices, or there is none. */
  static DeviceLease Take(const D3D12Library& library, bool debug);

 private:
  bool counted_ = false;
};

/** One native call at a time while the debug layer is on; without it, `queue` being null, does nothing. */
class DebugTurn {
 public:
  explicit DebugTurn(ID3D12InfoQueue* queue);
  ~DebugTurn();
  DebugTurn(const DebugTurn&) = delete;
  DebugTurn& operator=(const DebugTurn&) = delete;

  /** What the layer has said since the turn began. */
  std::vector<std::string> TakeMessages();

 private:
  ID3D12InfoQueue* queue_;
};

/** Runs native calls in a turn of their own; a failure gets what the debug layer said meanwhile. Not to be nested. */
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
