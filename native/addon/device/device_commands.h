/**
 * The commands of NativeDevice other than dispatches. The caller has checked the arguments, and that the device is open.
 * The methods wait for the GPU where the `Try` methods of native/gpu ask for it.
 */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/host/device_host.h"

namespace ndml {

class DeviceCommands {
 public:
  explicit DeviceCommands(DeviceHost* host) : host_(host) {}

  /** Records an upload. Copies `data` before it returns. */
  void Upload(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data, uint64_t size);
  /** Records a copy between two different buffers. */
  void Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset, const std::shared_ptr<Resource>& target,
            uint64_t target_offset, uint64_t size);
  /** Fills bytes that were never written with zeros, and submits. Call it before other code can read the memory. */
  void Define(const std::shared_ptr<Resource>& resource);
  /** Executes the recording's dispatches. If memory runs out, collects garbage and tries once more. */
  void Replay(const std::shared_ptr<Recording>& recording);
  /** Records a read and submits. The promise resolves with `size` bytes, as NativeBytes of binding.d.ts. */
  Napi::Promise Read(const std::shared_ptr<Resource>& source, uint64_t offset, uint64_t size);
  /**
   * Records a read that fills the array, and submits. The array's memory is looked up only when the bytes arrive. If a
   * script has transferred it in the meantime, the promise is rejected.
   */
  Napi::Promise ReadInto(const std::shared_ptr<Resource>& source, uint64_t offset, const Napi::Uint8Array& target);
  /** Submits. The promise resolves when all work so far is finished. */
  Napi::Promise Idle() { return ResolveWhenFinished(nullptr); }
  /** Submits, and measures GPU time from now on. Returns false if the queue has no timestamps. */
  bool StartProfile();
  /** Submits. The promise resolves with the times when all work so far is finished. */
  Napi::Promise EndProfile();

 private:
  /** Registers the read, records it and submits. The waiter fills the target's bytes. */
  void StartRead(const Napi::Promise::Deferred& deferred, Napi::ObjectReference target, ReadRequest request);
  void SubmitRead(ReadRequest* request);
  /** Submits. The promise resolves with the profile, if there is one, when all work so far is finished. */
  Napi::Promise ResolveWhenFinished(std::shared_ptr<const Profile> profile);

  DeviceHost* host_;
};

}  // namespace ndml
