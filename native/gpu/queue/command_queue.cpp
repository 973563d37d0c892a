#include "gpu/queue/command_queue.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

/**
 * Interval of the checks for a removed device. Some drivers do not signal the fences of a removed Direct3D device, and
 * the removal of a DirectML device never signals one.
 */
constexpr DWORD kRemovalPollMs = 500;
/** After this many polls without a submission (one second), the idle notice is given. */
constexpr unsigned kIdlePolls = 2;

}  // namespace

CommandQueue::CommandQueue(ID3D12Device* device, IDMLDevice* dml, ComPtr<ID3D12CommandQueue> queue, bool has_timeout)
    : device_(device),
      dml_(dml),
      queue_(std::move(queue)),
      fence_event_(::CreateEventW(nullptr, FALSE, FALSE, nullptr)),
      stop_event_(::CreateEventW(nullptr, TRUE, FALSE, nullptr)),
      releases_(std::make_shared<LateReleases>(fence_event_.Get())),
      wait_event_(::CreateEventW(nullptr, FALSE, FALSE, nullptr)) {
  if (queue_) {
    list_type_ = QueueDesc(queue_.Get()).Type;
  } else {
    D3D12_COMMAND_QUEUE_DESC desc = {};
    desc.Type = list_type_;
    if (!has_timeout) desc.Flags = D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT;
    ThrowIfFailed(device->CreateCommandQueue(&desc, Iid<ID3D12CommandQueue>::value, queue_.Put()),
                  "ID3D12Device::CreateCommandQueue");
  }
  ThrowIfFailed(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, Iid<ID3D12Fence>::value, fence_.Put()),
                "ID3D12Device::CreateFence");
  if (fence_event_.Get() == nullptr || stop_event_.Get() == nullptr || wait_event_.Get() == nullptr) {
    throw CallFailure("CreateEventW", HRESULT_FROM_WIN32(::GetLastError()));
  }
}

void CommandQueue::Start(std::function<void()> notify) {
  notify_ = std::move(notify);
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error& error) {
    throw Failure("ERR_NATIVE_CALL", std::string("the thread that waits for the GPU does not start: ") + error.what());
  }
}

void CommandQueue::Stop() {
  ::SetEvent(stop_event_.Get());
  if (thread_.joinable()) thread_.join();
  releases_->Close();
  // The waiter has stopped and copies nothing more. Release the parts, so that the GPU does not wait for those copies.
  for (const ReadbackCopy& copy : ready_) copy.ring->Release(copy.part);
  for (const Submission& submission : submissions_) {
    for (const ReadbackCopy& copy : submission.copies) copy.ring->Release(copy.part);
  }
  ready_.clear();
  submissions_.clear();
}

uint64_t CommandQueue::TimestampFrequency() {
  UINT64 frequency = 0;
  return SUCCEEDED(queue_->GetTimestampFrequency(&frequency)) ? frequency : 0;
}

uint64_t CommandQueue::Submit(std::initializer_list<ID3D12CommandList*> lists, std::vector<ReadbackCopy> copies) {
  for (const ReadbackCopy& copy : copies) copy.ring->WaitOnQueue(queue_.Get(), copy.part);
  {
    // The waiter must know of the list before the GPU runs it, whatever fails afterwards.
    const std::lock_guard<std::mutex> lock(mutex_);
    submissions_.push_back({last_submitted_ + 1, std::move(copies)});
    for (const ReadbackCopy& copy : submissions_.back().copies) copy.ring->Take(copy.part);
  }
  const std::lock_guard<std::mutex> lock(signal_mutex_);
  ++last_submitted_;
  queue_->ExecuteCommandLists(static_cast<UINT>(lists.size()), lists.begin());
  const HRESULT signalled = queue_->Signal(fence_.Get(), last_submitted_);
  is_signalled_ = SUCCEEDED(signalled);
  // The GPU has the lists, and an error would say that nothing was executed. So SignalAgain makes up for a failed signal.
  if (IsRemoval(signalled)) throw CallFailure("ID3D12CommandQueue::Signal", signalled);
  return last_submitted_;
}

void CommandQueue::WaitForFence(const ComPtr<ID3D12Fence>& fence, uint64_t value) {
  Hold({fence, value, true});
  ThrowIfFailed(queue_->Wait(fence.Get(), value), "ID3D12CommandQueue::Wait");
}

void CommandQueue::SignalFence(const ComPtr<ID3D12Fence>& fence, uint64_t value) {
  Hold({fence, value, false});
  ThrowIfFailed(queue_->Signal(fence.Get(), value), "ID3D12CommandQueue::Signal");
}

void CommandQueue::Hold(FenceUse use) {
  const auto is_over = [](const FenceUse& held) { return held.fence->GetCompletedValue() >= held.value; };
  foreign_fences_.erase(std::remove_if(foreign_fences_.begin(), foreign_fences_.end(), is_over), foreign_fences_.end());
  foreign_fences_.push_back(std::move(use));
}

bool CommandQueue::IsWaitingForOthers() {
  return std::any_of(foreign_fences_.begin(), foreign_fences_.end(),
                     [](const FenceUse& use) { return use.is_wait && use.fence->GetCompletedValue() < use.value; });
}

void CommandQueue::SignalAgain() {
  const std::lock_guard<std::mutex> lock(signal_mutex_);
  if (!is_signalled_) is_signalled_ = SUCCEEDED(queue_->Signal(fence_.Get(), last_submitted_));
}

bool CommandQueue::WaitOnThisThread(uint64_t value, DWORD timeout_ms) {
  if (GpuIsGone()) return false;
  const ULONGLONG end = ::GetTickCount64() + timeout_ms;
  if (FAILED(fence_->SetEventOnCompletion(value, wait_event_.Get()))) return false;
  // The event may be set for an earlier value, whose wait ended with a timeout.
  for (ULONGLONG now = ::GetTickCount64(); fence_->GetCompletedValue() < value; now = ::GetTickCount64()) {
    if (now >= end) return false;
    ::WaitForSingleObject(wait_event_.Get(), static_cast<DWORD>(end - now));
  }
  return true;
}

bool CommandQueue::Finish(DWORD timeout_ms) {
  const ULONGLONG began = ::GetTickCount64();
  // The event is a member because the fence refers to it even after a timeout. If SetEventOnCompletion fails, the loop
  // polls.
  static_cast<void>(fence_->SetEventOnCompletion(last_submitted_, fence_event_.Get()));
  while (fence_->GetCompletedValue() < last_submitted_ && !GpuIsGone()) {
    SignalAgain();
    const ULONGLONG waited = ::GetTickCount64() - began;
    if (timeout_ms != INFINITE && waited >= timeout_ms) return false;
    const ULONGLONG rest = timeout_ms == INFINITE ? kRemovalPollMs : timeout_ms - waited;
    ::WaitForSingleObject(fence_event_.Get(), static_cast<DWORD>(std::min<ULONGLONG>(rest, kRemovalPollMs)));
  }
  return true;
}

HRESULT CommandQueue::CheckRemoved() {
  HRESULT reason = device_->GetDeviceRemovedReason();
  if (SUCCEEDED(reason)) reason = dml_->GetDeviceRemovedReason();
  if (SUCCEEDED(reason) && fence_->GetCompletedValue() == UINT64_MAX) reason = DXGI_ERROR_DEVICE_REMOVED;
  if (FAILED(reason)) MarkRemoved(reason);
  return removed_reason();
}

void CommandQueue::MarkRemoved(HRESULT reason) {
  HRESULT expected = S_OK;
  removed_reason_.compare_exchange_strong(expected, reason);
}

bool CommandQueue::GpuIsGone() {
  return FAILED(device_->GetDeviceRemovedReason()) || fence_->GetCompletedValue() == UINT64_MAX;
}

void CommandQueue::Run() {
  for (Submission submission; Next(&submission);) {
    const bool copies = !submission.copies.empty() && SUCCEEDED(CheckRemoved());
    for (ReadbackCopy& copy : submission.copies) {
      if (copy.target.memory == nullptr) {
        const std::lock_guard<std::mutex> lock(mutex_);
        ready_.push_back(std::move(copy));
        continue;
      }
      if (copies) std::memcpy(copy.target.memory + copy.offset, copy.ring->data() + copy.part.offset, copy.size);
      copy.ring->Release(copy.part);
    }
    submission.copies.clear();
    finished_.store(submission.value, std::memory_order_release);
    notify_();
  }
}

std::vector<ReadbackCopy> CommandQueue::TakeReady() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(ready_, {});
}

bool CommandQueue::Next(Submission* next) {
  // Armed before the submission is made, so that submitting need not wake this thread.
  const uint64_t value = finished() + 1;
  if (FAILED(fence_->SetEventOnCompletion(value, fence_event_.Get())) && SUCCEEDED(CheckRemoved())) {
    MarkRemoved(DXGI_ERROR_DRIVER_INTERNAL_ERROR);
    notify_();
  }
  const HANDLE handles[] = {stop_event_.Get(), fence_event_.Get()};
  // The event may still be set for an earlier value, so the fence's value decides.
  for (unsigned polls = 0; !TakeFinished(value, next);) {
    releases_->ReleaseAll();
    const DWORD woken = ::WaitForMultipleObjects(2, handles, FALSE, kRemovalPollMs);
    if (woken == WAIT_OBJECT_0) return false;
    if (woken == WAIT_TIMEOUT) SignalAgain();
    // Once the device is known to be removed, there is nothing more to notify about.
    if (woken != WAIT_TIMEOUT || FAILED(removed_reason())) continue;
    const bool is_idle = !HasSubmissions() && ++polls == kIdlePolls;
    if (is_idle) idle_notice_ = true;
    if (FAILED(CheckRemoved()) || is_idle) notify_();
  }
  return true;
}

bool CommandQueue::TakeFinished(uint64_t value, Submission* submission) {
  if (fence_->GetCompletedValue() < value && !GpuIsGone()) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (submissions_.empty()) return false;
  *submission = std::move(submissions_.front());
  submissions_.pop_front();
  return true;
}

bool CommandQueue::HasSubmissions() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !submissions_.empty();
}

}  // namespace ndml
