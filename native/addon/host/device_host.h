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

#include "addon/environment/external_memory.h"
#include "addon/host/device_children.h"
#include "addon/host/gpu_calls.h"
#include "addon/host/gpu_wait.h"
#include "addon/host/pending_idles.h"
#include "addon/host/pending_reads.h"
#include "gpu/device/video_memory.h"
#include "gpu/share/sharing.h"

namespace ndml {

class DeviceHost : public std::enable_shared_from_this<DeviceHost> {
 public:
  static std::shared_ptr<DeviceHost> Create(Napi::Env env, GpuDevice device);
  ~DeviceHost() = default;
  DeviceHost(const DeviceHost&) = delete;
  DeviceHost& operator=(const DeviceHost&) = delete;

  /** Throws ERR_DISPOSED or ERR_DEVICE_LOST if the device cannot be used any more. */
  void RequireOpen();
  /** See GpuCalls. */
  template <typename Body>
  auto Run(Body&& body) -> decltype(body()) {
    return calls_.Run(body);
  }

  Napi::Env env() const { return env_; }
  const GpuDevice& gpu() const { return calls_.gpu(); }
  CommandQueue& queue() { return calls_.queue(); }
  GpuWork& work() { return calls_.work(); }
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
  GpuCalls calls_;
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
