/**
 * The compute queue, its fence, and one thread that waits for the fence so that JavaScript never does.
 *
 * Every submission gets the next fence value. The waiter takes submissions in order; when the GPU has finished one
 * it copies that submission's readbacks to where they belong, raises `finished()`, and calls `notify`. When the
 * device is removed it records why, finishes everything without copying, and calls `notify`. It never calls a
 * submission finished that the GPU may still be working on. With nothing to wait for it looks after the device now and
 * then, so that a removal is noticed while JavaScript asks for nothing.
 */
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "gpu/readback_ring.h"
#include "platform/com_ptr.h"

namespace ndml {

/** Bytes that the GPU leaves in a part of a ring, and where they belong. */
struct ReadbackCopy {
  std::shared_ptr<ReadbackRing> ring;
  ReadbackRing::Part part;
  uint8_t* target = nullptr;
  size_t size = 0;
};

class CommandQueue {
 public:
  CommandQueue(ID3D12Device* device, IDMLDevice* dml);
  ~CommandQueue() { Stop(); }
  CommandQueue(const CommandQueue&) = delete;
  CommandQueue& operator=(const CommandQueue&) = delete;

  /** Starts the waiter. `notify` is called on its thread. Throws ERR_NATIVE_CALL when there is no thread to be had. */
  void Start(std::function<void()> notify);
  /** Stops and joins the waiter. Work that the GPU still has is not waited for. */
  void Stop();

  /**
   * Executes a closed list; returns the fence value that says it is finished. When it throws, `last_submitted()` tells
   * whether the GPU has the list nevertheless. The targets of the copies must live until `finished()`.
   */
  uint64_t Submit(ID3D12CommandList* list, std::vector<ReadbackCopy> copies);

  uint64_t last_submitted() const { return last_submitted_; }
  /** The highest fence value the waiter is done with, copies included. */
  uint64_t finished() const { return finished_.load(std::memory_order_acquire); }
  /** The highest fence value the GPU has passed. */
  uint64_t CompletedByGpu() const { return fence_->GetCompletedValue(); }
  /** Blocks until the GPU has passed `value`; false after the timeout, or when the GPU is gone. */
  bool WaitOnThisThread(uint64_t value, DWORD timeout_ms);

  /** As WaitOnThisThread for all that was submitted; true when the GPU is gone, too. Any thread, once stopped. */
  bool Finish(DWORD timeout_ms);

  /** S_OK while the device lives, then why it was removed. Set once. */
  HRESULT removed_reason() const { return removed_reason_.load(std::memory_order_acquire); }
  /** True once after each time that nothing was submitted for a while; `notify` was called for it. */
  bool TakeIdleNotice() { return idle_notice_.exchange(false); }
  /** Asks both devices; returns removed_reason(). */
  HRESULT CheckRemoved();
  /**
   * True when Direct3D's device itself is gone, so that nothing runs on it any more. DirectML's device can be removed
   * alone: then the GPU still works off what it was given, and its memory must not be let go before.
   */
  bool GpuIsGone();

 private:
  struct Submission {
    uint64_t value = 0;
    std::vector<ReadbackCopy> copies;
  };

  void Run();
  /** The next submission, once there is one. False when told to stop. */
  bool Next(Submission* next);
  /** False when told to stop. */
  bool WaitForFence(uint64_t value);

  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<ID3D12CommandQueue> queue_;
  /** The events before the fence, which may know them for as long as it lives, after a timeout too. */
  UniqueHandle fence_event_;
  UniqueHandle stop_event_;
  /** Of WaitOnThisThread. */
  UniqueHandle wait_event_;
  ComPtr<ID3D12Fence> fence_;
  uint64_t last_submitted_ = 0;
  std::atomic<uint64_t> finished_{0};
  std::atomic<HRESULT> removed_reason_{S_OK};
  std::atomic<bool> idle_notice_{false};

  std::function<void()> notify_;
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Submission> submissions_;
  bool stopping_ = false;
};

}  // namespace ndml
