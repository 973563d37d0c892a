/**
 * Devices whose environment ended while the GPU was still at work: a thread of each one's own waits for the GPU and then
 * gives everything back. The memory that the GPU works on must not go before.
 */
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/command_recorder.h"
#include "gpu/device.h"

namespace ndml {

/** What is left of a device; destroyed from the last member to the first. */
struct DeviceRemains {
  GpuDevice gpu;
  /** Stopped. */
  std::unique_ptr<CommandQueue> queue;
  std::unique_ptr<CommandRecorder> recorder;
};

/** Keeps the addon loaded for good, since the thread runs in its code and its last environment may be ending. */
void ReleaseWhenFinished(DeviceRemains remains);

/** How many are waiting, of all environments. */
int64_t OrphanedDevices();

}  // namespace ndml
