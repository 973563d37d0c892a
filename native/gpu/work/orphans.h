/**
 * Devices whose environment ended while the GPU was still working. Each gets a thread that waits for the GPU and then
 * releases everything, because memory that the GPU still uses must not be freed.
 */
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/device/device.h"
#include "gpu/queue/command_queue.h"
#include "gpu/work/gpu_work.h"

namespace ndml {

/** The remains of a device. C++ destroys the members from last to first. */
struct DeviceRemains {
  GpuDevice gpu;
  /** Its waiter is stopped. */
  std::unique_ptr<CommandQueue> queue;
  std::unique_ptr<GpuWork> work;
};

/**
 * Releases the remains once the GPU has finished. Keeps the addon loaded until the process ends, because the thread
 * runs its code even after the last environment has ended.
 */
void ReleaseWhenFinished(DeviceRemains remains);

/** The number of orphaned devices, of all environments. */
int64_t OrphanedDevices();

}  // namespace ndml
