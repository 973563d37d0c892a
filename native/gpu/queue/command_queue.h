/**
 * The compute queue, its fence, and one thread, the waiter, that waits for the fence so that the JavaScript thread does
 * not have to.
 *
 * Every submission gets the next fence value. The waiter waits for a value even before it is submitted, so a submission
 * wakes no thread. When the GPU has passed the value, the waiter takes the submission, copies its readbacks to their
 * targets, raises `finished()`, and calls `notify`. When the device is removed, the waiter records the reason, finishes
 * all submissions without copying, and calls `notify`. It never counts a submission as finished while the GPU may still
 * be working on it. While it waits, it checks the device every 500 ms, so that a removal is also detected while
 * JavaScript makes no calls.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "gpu/memory/late_releases.h"
#include "gpu/queue/readback_copy.h"
#include "platform/com_ptr.h"

namespace ndml {

class CommandQueue {
 public:
  /** Creates a compute queue if `queue` is null, without Windows' time limit if `has_timeout` is false. */
  CommandQueue(ID3D12Device* device, IDMLDevice* dml, ComPtr<ID3D12CommandQueue> queue = nullptr,
               bool has_timeout = true);
  ~CommandQueue() { Stop(); }
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;

  /** Starts the waiter. `notify` is called on its thread. Throws ERR_NATIVE_CALL if the thread cannot be created. */
  void Start(std::function<void()> notify);
  /** Stops and joins the waiter. Does not wait for the GPU. */
  void Stop();

  /**
   * Executes closed lists in one call; returns their fence value. If it throws, the lists are not executed, or the device
   * was removed. The targets of the copies must live until `finished()` reaches the fence value.
   */
  uint64_t Submit(std::initializer_list<ID3D12CommandList*> lists, std::vector<ReadbackCopy> copies);
  /** Later submissions wait until another queue or the CPU has raised the fence to `value`. Holds the fence as long. */
  void WaitForFence(const ComPtr<ID3D12Fence>& fence, uint64_t value);
  /** Raises the fence to `value` once the GPU has passed all submissions. Holds the fence as long. */
  void SignalFence(const ComPtr<ID3D12Fence>& fence, uint64_t value);
  /** True if submissions may be waiting for a fence that others have to raise. It may never be raised. */
  bool IsWaitingForOthers();
  /** The waiter releases these objects. */
  const std::shared_ptr<LateReleases>& releases() const { return releases_; }
  ID3D12CommandQueue* d3d12() const { return queue_.Get(); }
  D3D12_COMMAND_LIST_TYPE list_type() const { return list_type_; }
  /** Ticks per second of the queue's timestamps; 0 if it has none. */
  uint64_t TimestampFrequency();

  uint64_t last_submitted() const { return last_submitted_; }
  /** The highest fence value that the waiter has finished, including the copies. */
  uint64_t finished() const { return finished_.load(std::memory_order_acquire); }
  /** The highest fence value that the GPU has passed. */
  uint64_t CompletedByGpu() const { return fence_->GetCompletedValue(); }
  /** Blocks until the GPU has passed `value`. Returns false after the timeout, or if the Direct3D device was removed. */
  bool WaitOnThisThread(uint64_t value, DWORD timeout_ms);

  /** Blocks until the GPU has passed all submissions, or is gone. False after the timeout. Call it after `Stop`, on any thread. */
  bool Finish(DWORD timeout_ms);

  /** Returns the copies that the JavaScript thread must make for finished submissions, in order, and then release. */
  std::vector<ReadbackCopy> TakeReady();

  /** S_OK, or the reason of the removal once one was detected. Never changes again. */
  HRESULT removed_reason() const { return removed_reason_.load(std::memory_order_acquire); }
  /** Returns true once per pause, after a second without unfinished submissions. The waiter then calls `notify`. */
  bool TakeIdleNotice() { return idle_notice_.exchange(false); }
  /** Checks the Direct3D and the DirectML device for removal; returns removed_reason(). */
  HRESULT CheckRemoved();
  /**
   * True if the Direct3D device itself was removed, so that nothing runs on it any more. A DirectML device can be
   * removed alone. Then the GPU still executes the submitted work, whose memory must not be freed before.
   */
  bool GpuIsGone();

 private:
  struct Submission {
    uint64_t value = 0;
    std::vector<ReadbackCopy> copies;
  };

  struct FenceUse {
    ComPtr<ID3D12Fence> fence;
    uint64_t value = 0;
    bool is_wait = false;
  };

  /** Holds the fence until it has reached `value`. */
  void Hold(FenceUse use);
  void Run();
  /** Waits until the GPU has passed the next submission, or is gone, and takes it. Returns false if the waiter must stop. */
  bool Next(Submission* next);
  /** Takes the submission of `value` if the GPU has passed it, or is gone. Returns false otherwise. */
  bool TakeFinished(uint64_t value, Submission* submission);
  bool HasSubmissions();
  /** Signals the fence for the last submission again if that failed. */
  void SignalAgain();
  /** Sets `removed_reason` unless it is already set. */
  void MarkRemoved(HRESULT reason);

  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<ID3D12CommandQueue> queue_;
  D3D12_COMMAND_LIST_TYPE list_type_ = D3D12_COMMAND_LIST_TYPE_COMPUTE;
  /** The events are destroyed after the fence, which may refer to them as long as it lives, even after a timeout. */
  UniqueHandle fence_event_;
  UniqueHandle stop_event_;
  std::shared_ptr<LateReleases> releases_;
  /** Used by WaitOnThisThread. */
  UniqueHandle wait_event_;
  ComPtr<ID3D12Fence> fence_;
  /** Fences of others that had not reached their values at the last call of Hold. */
  std::vector<FenceUse> foreign_fences_;
  /** Changed on the JavaScript thread, under `signal_mutex_`. */
  uint64_t last_submitted_ = 0;
  std::atomic<uint64_t> finished_{0};
  std::atomic<HRESULT> removed_reason_{S_OK};
  std::atomic<bool> idle_notice_{false};

  std::function<void()> notify_;
  std::thread thread_;
  std::mutex mutex_;
  std::deque<Submission> submissions_;
  std::vector<ReadbackCopy> ready_;
  std::mutex signal_mutex_;
  /** False if the fence could not be signalled for the last submission. */
  bool is_signalled_ = true;
};

}  // namespace ndml
