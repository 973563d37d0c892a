/**
 * The life of a device in its environment: open, lost, closing, closed. It owns the queue and the recorder, the
 * promises that wait for the GPU, and the way back from the waiter's thread to JavaScript.
 *
 * - `Close` (dispose, or garbage collection) submits nothing more; what was submitted is finished without blocking,
 *   the promises that wait for it are settled, and then everything is let go.
 * - A removed device rejects everything that waits, calls the onLost callback, and refuses all that follows.
 * - The environment's end stops the waiter at once and gives the GPU a bounded time to finish; what is not finished
 *   then is left to a thread of the process (orphans.h).
 *
 * Everything here runs on the JavaScript thread, except `Notify`.
 */
#pragma once

#include <napi.h>

#include <atomic>
#include <list>
#include <memory>
#include <optional>
#include <unordered_set>

#include "gpu/command_recorder.h"
#include "gpu/device.h"

namespace ndml {

/** A buffer or operator of the device, which loses its memory when the device closes. */
class DeviceChild {
 public:
  virtual void ReleaseNative() = 0;
  /** True once its JavaScript object was collected. */
  virtual bool IsForgotten() = 0;

 protected:
  ~DeviceChild() = default;
};

class DeviceHost : public std::enable_shared_from_this<DeviceHost> {
 public:
  static std::shared_ptr<DeviceHost> Create(Napi::Env env, GpuDevice device);
  ~DeviceHost() = default;
  DeviceHost(const DeviceHost&) = delete;
  DeviceHost& operator=(const DeviceHost&) = delete;

  /** Throws ERR_DISPOSED or ERR_DEVICE_LOST unless the device can be used. */
  void RequireOpen();
  const GpuDevice& gpu() const { return gpu_; }
  CommandRecorder& recorder() { return *recorder_; }

  /** Runs native calls; a failure gets the debug layer's messages, and a removal makes the device lost. */
  template <typename Body>
  auto Run(Body&& body) -> decltype(body()) {
    try {
      return WithDebugMessages(gpu_.info_queue.Get(), body);
    } catch (Failure& failure) {
      throw Explain(std::move(failure));
    }
  }

  /**
   * Default-heap memory; throws ERR_OUT_OF_MEMORY. Frees on the way what hangs on collected objects, and where memory
   * runs out has garbage collected and waits a moment for the GPU before it gives up.
   */
  std::shared_ptr<Resource> Allocate(uint64_t size);
  /** The same for what a dispatch needs beside its tensors; call it right before the dispatch is recorded. */
  void Reserve(const DML_BINDING_PROPERTIES& properties);
  Napi::Promise Read(const std::shared_ptr<Resource>& source, uint64_t offset, uint64_t size);
  Napi::Promise Idle();
  /** Holds the callback weakly: whoever calls this keeps it alive for as long as it is to be called. */
  void SetLostCallback(Napi::Function callback);
  void RemoveForTesting();
  void Close();

  /** `bytes` of memory hang on the child. */
  void AddChild(DeviceChild* child, uint64_t bytes = 0) {
    children_.insert(child);
    child_bytes_ += bytes;
  }
  void RemoveChild(DeviceChild* child, uint64_t bytes = 0) {
    children_.erase(child);
    child_bytes_ -= bytes;
  }

 private:
  struct PendingRead {
    Napi::Promise::Deferred deferred;
    Napi::Reference<Napi::ArrayBuffer> target;
    /** Of its last part. */
    uint64_t fence_value;
  };
  struct PendingIdle {
    Napi::Promise::Deferred deferred;
    uint64_t fence_value;
  };

  DeviceHost(Napi::Env env, GpuDevice device);
  void Start();
  /** The failure as it is to be told: what follows from a removal is the removal. */
  Failure Explain(Failure failure);
  /** From the waiter's thread, or any other: have Drain called. */
  void Notify();
  static void OnNotified(napi_env env, napi_value callback, void* context, void* data);
  static void OnFinalized(napi_env env, void* data, void* context);
  static void OnEnvironmentEnd(void* data);
  /** Settles what is finished, notices a loss, and completes a close. */
  void Drain();
  void SettleFinished();
  /**
   * Releases the children whose objects were collected. Node-API runs finalizers at the next turn of the event loop
   * only, and a program may allocate much before it comes.
   */
  void FreeForgotten();
  /** Runs what allocates `size` bytes, once more after Reclaim where memory runs out. */
  template <typename Body>
  auto RunOrReclaim(uint64_t size, Body&& body) -> decltype(body());
  /** Collects garbage, and waits a moment for the GPU to be done with what was disposed of. */
  void Reclaim();
  void NoticeLoss();
  void RejectPending(const Failure& failure);
  void MarkLost(HRESULT reason);
  void UpdateReference();
  void Shutdown();

  Napi::Env env_;
  std::shared_ptr<LiveCounters> counters_;
  GpuDevice gpu_;
  std::unique_ptr<CommandQueue> queue_;
  std::unique_ptr<CommandRecorder> recorder_;
  std::unordered_set<DeviceChild*> children_;
  uint64_t child_bytes_ = 0;
  /** Since FreeForgotten last looked. */
  uint64_t allocated_bytes_ = 0;
  size_t allocated_count_ = 0;
  std::list<PendingRead> reads_;
  std::list<PendingIdle> idles_;
  /** Rejected, with copies into their target still under way. */
  std::list<PendingRead> abandoned_reads_;
  /** Weak, for the callback usually knows the device's JavaScript object, which could never be collected. */
  Napi::FunctionReference lost_callback_;
  std::optional<Failure> lost_;
  bool loss_told_ = false;
  bool closing_ = false;
  bool closed_ = false;
  bool referenced_ = false;
  napi_threadsafe_function tsfn_ = nullptr;
  std::atomic<bool> notified_{false};
};

}  // namespace ndml
