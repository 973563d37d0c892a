/**
 * The lifetime of a device in its environment: open, lost, closing, closed. The host owns the device, its queue and work,
 * and the promises that wait for the GPU.
 *
 * - `Close` (dispose, or garbage collection) submits nothing more. Submitted work finishes without blocking, its
 *   promises are settled, and then everything is released.
 * - When the device is removed, all pending promises are rejected, the onLost callback is called, and later calls fail.
 * - When the environment ends, the waiter stops at once and the GPU gets a limited time to finish. If it
 *   takes longer, a separate thread waits for it and releases the device (orphans.h).
 *
 * Everything here runs on the JavaScript thread.
 */
#pragma once

#include <napi.h>

#include <memory>
#include <optional>

#include "addon/environment/external_memory.h"
#include "addon/host/device_children.h"
#include "addon/host/gpu_wait.h"
#include "addon/host/pending_idles.h"
#include "addon/host/pending_reads.h"
#include "gpu/device/video_memory.h"
#include "gpu/share/sharing.h"
#include "gpu/work/orphans.h"

namespace ndml {

class DeviceHost : public std::enable_shared_from_this<DeviceHost> {
 public:
  static std::shared_ptr<DeviceHost> Create(Napi::Env env, GpuDevice device);
  ~DeviceHost() = default;
  DeviceHost(const DeviceHost&) = delete;
  DeviceHost& operator=(const DeviceHost&) = delete;

  /** Throws ERR_DISPOSED or ERR_DEVICE_LOST if the device cannot be used any more. */
  void RequireOpen();
  /** Runs native calls. A failure carries the debug layer's messages; after a removal it is ERR_DEVICE_LOST. */
  template <typename Body>
  auto Run(Body&& body) -> decltype(body()) {
    try {
      return WithDebugMessages(gpu().info_queue.Get(), body);
    } catch (Failure& failure) {
      throw Explain(std::move(failure));
    }
  }

  Napi::Env env() const { return env_; }
  const GpuDevice& gpu() const { return device_.gpu; }
  CommandQueue& queue() { return *device_.queue; }
  GpuWork& work() { return *device_.work; }
  CommandRecorder& recorder() { return work().recorder(); }
  /** Use it within `Run`. */
  GpuWait& wait() { return wait_; }
  DeviceChildren& children() { return children_; }
  Sharing& sharing() { return sharing_; }
  VideoMemory& video_memory() { return *video_memory_; }
  const std::shared_ptr<LiveCounters>& counters() const { return counters_; }

  /** Call `UpdateReference` after adding one. */
  PendingReads& reads() { return reads_; }
  /** Call `SettleFinished` after adding one. */
  PendingIdles& idles() { return idles_; }
  /** Keeps the event loop alive while a promise or the onLost callback is pending, and only then. */
  void UpdateReference();
  /** Settles the promises of finished work. Call it last, because it can run scripts. */
  void SettleFinished();

  /** Holds the callback weakly; the caller keeps it alive. */
  void SetLostCallback(Napi::Function callback);
  /** Holds the callback weakly; the caller keeps it alive. Called whenever the adapter's budget shrinks. */
  void SetBudgetCallback(Napi::Function callback);
  /** Closes the device, as described at the top of this file. Further calls do nothing. */
  void Close();

 private:
  DeviceHost(Napi::Env env, GpuDevice device);
  void Start();
  /** Returns the failure to report: ERR_DEVICE_LOST if the device was removed, else the failure itself. */
  Failure Explain(Failure failure);
  /** Checks whether the device was removed. The open batch of a lost device is dropped. */
  void DetectLoss();
  void MarkLost(HRESULT reason);
  void OnNotified();
  static void OnEnvironmentEnd(void* data);
  /**
   * Detects a loss, releases unused memory, completes a close, and then settles the promises of finished work and calls
   * the callbacks. Returns true if the device is not closed and promises were settled. Call it last, because it runs
   * scripts, which may close the device.
   */
  bool Drain();
  /** The part of Drain before a script runs. */
  void CollectFinished();
  /** Releases the resources of finished work, and hands its promises to `settlements_`. */
  void ResolveFinished();
  /** If the budget has shrunk since the last call, frees unused memory and returns true. */
  bool TakeBudgetNotice();
  void Shutdown();

  Napi::Env env_;
  std::shared_ptr<LiveCounters> counters_;
  LoopNotifier notifier_;
  /** Given up by `Shutdown`. */
  DeviceRemains device_;
  /** The failure of every call on a lost device; empty unless the device is known to be lost. */
  std::optional<Failure> lost_;
  std::unique_ptr<VideoMemory> video_memory_;
  Sharing sharing_;
  DeviceChildren children_;
  PooledMemoryReport pooled_;
  /** Promises whose work is done. */
  Settlements settlements_;
  PendingReads reads_;
  PendingIdles idles_;
  GpuWait wait_;
  /** Weak: the callbacks usually refer to the device's JavaScript object, so a strong reference would keep that alive. */
  Napi::FunctionReference lost_callback_;
  Napi::FunctionReference budget_callback_;
  bool loss_told_ = false;
  bool closing_ = false;
  bool closed_ = false;
};

}  // namespace ndml
