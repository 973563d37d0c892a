/**
 * The lifetime of a device in its environment: open, lost, closing, closed. The host owns the queue, its work, the
 * promises that wait for the GPU, and the thread-safe function through which the waiter's thread reaches JavaScript.
 *
 * - `Close` (dispose, or garbage collection) submits nothing more. Submitted work finishes without blocking, its
 *   promises are settled, and then everything is released.
 * - When the device is removed, all pending promises are rejected, the onLost callback is called, and later calls fail.
 * - When the environment ends, the waiter stops at once and the GPU gets a limited time to finish. A thread of the
 *   process waits for the rest (orphans.h).
 *
 * Everything here runs on the JavaScript thread, except `Notify`.
 */
#pragma once

#include <napi.h>

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>

#include "addon/settlements.h"
#include "gpu/device.h"
#include "gpu/gpu_work.h"
#include "gpu/video_memory.h"

namespace ndml {

/** A buffer or operator of the device. It releases its memory when the device closes. */
class DeviceChild {
 public:
  virtual void ReleaseNative() = 0;
  /** True once its JavaScript object has been garbage-collected. */
  virtual bool IsCollected() = 0;

 protected:
  ~DeviceChild() = default;
};

class DeviceHost : public std::enable_shared_from_this<DeviceHost> {
 public:
  static std::shared_ptr<DeviceHost> Create(Napi::Env env, GpuDevice device);
  ~DeviceHost() = default;
  DeviceHost(const DeviceHost&) = delete;
  DeviceHost& operator=(const DeviceHost&) = delete;

  /** Throws ERR_DISPOSED or ERR_DEVICE_LOST if the device cannot be used any more. */
  void RequireOpen();
  const GpuDevice& gpu() const { return gpu_; }
  GpuWork& work() { return *work_; }
  CommandRecorder& recorder() { return work_->recorder(); }

  /** Runs native calls. A failure carries the debug layer's messages; a removal marks the device as lost. */
  template <typename Body>
  auto Run(Body&& body) -> decltype(body()) {
    try {
      return WithDebugMessages(gpu_.info_queue.Get(), body);
    } catch (Failure& failure) {
      throw Explain(std::move(failure));
    }
  }

  /**
   * Allocates default-heap memory; throws ERR_OUT_OF_MEMORY. From time to time it also frees the memory of collected
   * objects. If memory runs out, it collects garbage, waits up to a second for the GPU, and tries once more.
   */
  std::shared_ptr<Resource> Allocate(uint64_t size);
  /**
   * Allocates, like `Allocate`, the temporary resource of a dispatch. Call it right before the dispatch is recorded.
   */
  void Reserve(const DML_BINDING_PROPERTIES& properties);
  /** Records an upload. `data` is copied before it returns. */
  void Upload(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data, uint64_t size);
  /** Records a copy between two different buffers. */
  void Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset, const std::shared_ptr<Resource>& target,
            uint64_t target_offset, uint64_t size);
  /** Executes the recording's dispatches. If memory runs out, collects garbage and tries once more. */
  void Replay(const std::shared_ptr<Recording>& recording);
  /** Records a read and submits. The promise resolves with `size` bytes, as NativeBytes of binding.d.ts. */
  Napi::Promise Read(const std::shared_ptr<Resource>& source, uint64_t offset, uint64_t size);
  /**
   * Records a read that fills the array, and submits. The array's memory is looked up when the bytes arrive: a script may
   * have transferred it to another thread meanwhile, which rejects the promise.
   */
  Napi::Promise ReadInto(const std::shared_ptr<Resource>& source, uint64_t offset, const Napi::Uint8Array& target);
  /** Submits. The promise resolves when all work so far is finished. */
  Napi::Promise Idle();
  /** Submits, and measures GPU time from now on. Returns false if the queue has no timestamps. */
  bool StartProfile();
  /** Submits. The promise resolves with the times when all work so far is finished. */
  Napi::Promise EndProfile();
  /** Holds the callback weakly; the caller keeps it alive. */
  void SetLostCallback(Napi::Function callback);
  /** Removes the device without marking it as lost: tests check that the loss is detected. */
  void RemoveForTesting();
  /** Closes the device, as described at the top of this file. May be called again. */
  void Close();

  /** `bytes` is the memory that the child holds, which is reported to the garbage collector. */
  void AddChild(DeviceChild* child, uint64_t bytes);
  void RemoveChild(DeviceChild* child, uint64_t bytes);
  const std::shared_ptr<LiveCounters>& counters() const { return counters_; }

  /** The memory that the device currently uses, and the adapter's memory: DeviceMemory of binding.d.ts. */
  Napi::Object Memory();
  /** Holds the callback weakly; the caller keeps it alive. Called whenever the adapter's budget shrinks. */
  void SetBudgetCallback(Napi::Function callback);
  void LimitBudgetForTesting(uint64_t bytes) { video_memory_->LimitBudgetForTesting(bytes); }

 private:
  struct PendingRead {
    Napi::Promise::Deferred deferred;
    /** NativeBytes of binding.d.ts: what the promise resolves with. */
    Napi::ObjectReference target;
    /** Fence value of the last part. */
    uint64_t fence_value;
  };
  struct PendingReadInto {
    Napi::Promise::Deferred deferred;
    Napi::Reference<Napi::Uint8Array> target;
    /** Bytes that have not arrived. */
    size_t remaining;
    /** False if the target was too short for a part. */
    bool fits;
  };
  struct PendingIdle {
    Napi::Promise::Deferred deferred;
    uint64_t fence_value;
    /** What the promise resolves with; null for nothing. */
    std::shared_ptr<const Profile> profile;
  };

  DeviceHost(Napi::Env env, GpuDevice device);
  void Start();
  /** Returns the failure to report: ERR_DEVICE_LOST if the device was removed, else the failure itself. */
  Failure Explain(Failure failure);
  /** Schedules a call of Drain. Any thread. */
  void Notify();
  /** Calls `attempt`, a `Try` method of native/gpu, until it has not to wait for the GPU any more: see waiting.h. */
  template <typename Attempt>
  void Await(Attempt&& attempt) {
    Waited waited;
    while (const WaitFor value = attempt(waited)) WaitBriefly(*value, &waited);
  }
  /**
   * Waits some milliseconds for the GPU, and meanwhile makes the copies for which it may be waiting. Throws if the device
   * was removed. Runs no script.
   */
  void WaitBriefly(uint64_t fence_value, Waited* waited);
  static void OnNotified(napi_env env, napi_value callback, void* context, void* data);
  static void OnFinalized(napi_env env, void* data, void* context);
  static void OnEnvironmentEnd(void* data);
  /**
   * Detects a loss, releases what is unused, completes a close, and then settles the promises of finished work and calls the
   * callbacks. Returns true if the device is open and promises were settled. To be called last: scripts may have closed the device.
   */
  bool Drain();
  /** The part of Drain before a script runs. */
  void CollectFinished();
  void SettleFinished();
  /** Registers the read, records it and submits. The waiter fills the target's bytes. */
  void StartRead(PendingRead read, uint8_t* bytes, const std::shared_ptr<Resource>& source, uint64_t offset,
                 uint64_t size);
  /** Submits. The promise resolves with the profile, if there is one, when all work so far is finished. */
  Napi::Promise ResolveWhenFinished(std::shared_ptr<const Profile> profile);
  /** Its work is finished: the promise is to be settled. */
  void Settle(const PendingIdle& idle);
  /** Makes the copies that are left to the JavaScript thread, and collects the promises of complete reads. Runs no script. */
  void CopyReady();
  /** Allocates the target of a read. If memory runs out, collects garbage and tries once more. Runs no script. */
  Napi::ArrayBuffer AllocateArrayBuffer(uint64_t size);
  /**
   * Releases the children whose JavaScript objects were collected. Node-API runs their finalizers only at the next turn
   * of the event loop, and a program may allocate a lot before that.
   */
  void FreeCollected();
  /** Runs `body`, which allocates `size` bytes. If memory runs out, calls Reclaim and runs `body` once more. */
  template <typename Body>
  auto RunWithReclaim(uint64_t size, Body&& body) -> decltype(body());
  /** Collects garbage, and waits up to a second until the GPU no longer needs the memory of disposed objects. */
  void Reclaim();
  /** Reports to the garbage collector the memory that the device holds for its own use. */
  void ReportPooled();
  /** Returns true once for each time that the budget has shrunk. Frees unused memory. */
  bool TakeBudgetNotice();
  void DetectLoss();
  void RejectPending(const Failure& failure);
  void MarkLost(HRESULT reason);
  void UpdateReference();
  void Shutdown();

  Napi::Env env_;
  std::shared_ptr<LiveCounters> counters_;
  GpuDevice gpu_;
  std::unique_ptr<CommandQueue> queue_;
  std::unique_ptr<GpuWork> work_;
  std::unique_ptr<VideoMemory> video_memory_;
  std::unordered_set<DeviceChild*> children_;
  uint64_t child_bytes_ = 0;
  /** The bytes that ReportPooled has reported. */
  int64_t reported_bytes_ = 0;
  /** Bytes and allocations since the last call of FreeCollected. */
  uint64_t allocated_bytes_ = 0;
  size_t allocated_count_ = 0;
  std::list<PendingRead> reads_;
  /** By number. */
  std::map<uint64_t, PendingReadInto> reads_into_;
  uint64_t last_read_into_ = 0;
  std::list<PendingIdle> idles_;
  /** Rejected reads whose targets the waiter may still be copying to. */
  std::list<PendingRead> abandoned_reads_;
  /** Promises whose work is done. */
  Settlements settlements_;
  /**
   * Weak: the callbacks usually refer to the device's JavaScript object, so a strong reference would keep that alive.
   */
  Napi::FunctionReference lost_callback_;
  Napi::FunctionReference budget_callback_;
  std::optional<Failure> lost_;
  bool loss_told_ = false;
  bool closing_ = false;
  bool closed_ = false;
  bool referenced_ = false;
  napi_threadsafe_function tsfn_ = nullptr;
  std::atomic<bool> notified_{false};
};

}  // namespace ndml
