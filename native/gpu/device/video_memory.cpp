#include "gpu/device/video_memory.h"

#include <algorithm>
#include <utility>

#include "platform/failure.h"

namespace ndml {

VideoMemory::VideoMemory(const ComPtr<IUnknown>& adapter) {
  if (adapter) adapter_ = adapter.As<IDXGIAdapter3>();
}

VideoMemory::~VideoMemory() {
  if (is_registered_) adapter_->UnregisterVideoMemoryBudgetChangeNotification(cookie_);
  // Waits until running calls of OnChange have returned.
  if (wait_ != nullptr) ::UnregisterWaitEx(wait_, INVALID_HANDLE_VALUE);
}

std::optional<VideoMemoryInfo> VideoMemory::Query() const {
  if (!adapter_) return std::nullopt;
  const auto query = [this](DXGI_MEMORY_SEGMENT_GROUP group, VideoMemorySegment* segment) {
    DXGI_QUERY_VIDEO_MEMORY_INFO info = {};
    if (FAILED(adapter_->QueryVideoMemoryInfo(0, group, &info))) return false;
    *segment = {std::min(info.Budget, limit_for_testing_), info.CurrentUsage};
    return true;
  };
  VideoMemoryInfo result;
  if (!query(DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &result.local)) return std::nullopt;
  if (!query(DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL, &result.non_local)) return std::nullopt;
  return result;
}

void VideoMemory::Watch(std::function<void()> notify) {
  const std::optional<VideoMemoryInfo> now = Query();
  if (!now) return;
  last_ = *now;
  notify_ = std::move(notify);
  changed_ = UniqueHandle(::CreateEventW(nullptr, FALSE, FALSE, nullptr));
  if (changed_.Get() == nullptr) throw CallFailure("CreateEventW", HRESULT_FROM_WIN32(::GetLastError()));
  if (::RegisterWaitForSingleObject(&wait_, changed_.Get(), OnChange, this, INFINITE, WT_EXECUTEDEFAULT) == 0) {
    wait_ = nullptr;
    throw CallFailure("RegisterWaitForSingleObject", HRESULT_FROM_WIN32(::GetLastError()));
  }
  const HRESULT result = adapter_->RegisterVideoMemoryBudgetChangeNotificationEvent(changed_.Get(), &cookie_);
  is_registered_ = SUCCEEDED(result);
  if (is_registered_) return;
  ::UnregisterWaitEx(std::exchange(wait_, nullptr), INVALID_HANDLE_VALUE);
  throw CallFailure("IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent", result);
}

bool VideoMemory::TakeShrinking() {
  if (!has_notice_.exchange(false)) return false;
  const std::optional<VideoMemoryInfo> now = Query();
  if (!now) return false;
  const bool shrank = now->local.budget < last_.local.budget || now->non_local.budget < last_.non_local.budget;
  last_ = *now;
  return shrank;
}

void VideoMemory::LimitBudgetForTesting(uint64_t bytes) {
  limit_for_testing_ = bytes;
  if (changed_.Get() != nullptr) ::SetEvent(changed_.Get());
}

void CALLBACK VideoMemory::OnChange(void* self, BOOLEAN) {
  auto* const memory = static_cast<VideoMemory*>(self);
  memory->has_notice_ = true;
  memory->notify_();
}

}  // namespace ndml
