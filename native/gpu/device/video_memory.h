/** The memory of an adapter, as DXGI reports it: how much this process may use (the budget), and how much it uses. */
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "platform/com_ptr.h"

namespace ndml {

/** Both are in bytes. */
struct VideoMemorySegment {
  uint64_t budget = 0;
  uint64_t usage = 0;
};

struct VideoMemoryInfo {
  /** Memory that is fast for the adapter: its own memory; for an integrated adapter, all system memory. */
  VideoMemorySegment local;
  /** System memory that a discrete adapter can also use. */
  VideoMemorySegment non_local;
};

class VideoMemory {
 public:
  /** If DXGI does not list `adapter`, nothing is known of its memory: `Query` returns nothing, `Watch` does nothing. */
  explicit VideoMemory(const ComPtr<IUnknown>& adapter);
  ~VideoMemory();
  VideoMemory(const VideoMemory&) = delete;
  VideoMemory& operator=(const VideoMemory&) = delete;

  std::optional<VideoMemoryInfo> Query() const;
  /**
   * Calls `notify`, on a thread of Windows' thread pool, when Windows changes the budget. Call it once. Throws
   * ERR_NATIVE_CALL if Windows refuses the registration.
   */
  void Watch(std::function<void()> notify);
  bool IsWatched() const { return wait_ != nullptr; }
  /** True if the budget became smaller since the last call, or since `Watch`. */
  bool TakeShrinking();
  /** Limits both budgets to `bytes`, as Windows does when other processes need memory. */
  void LimitBudgetForTesting(uint64_t bytes);

 private:
  static void CALLBACK OnChange(void* self, BOOLEAN timed_out);

  /** Null if DXGI does not list the adapter. */
  ComPtr<IDXGIAdapter3> adapter_;
  uint64_t limit_for_testing_ = UINT64_MAX;
  UniqueHandle changed_;
  DWORD cookie_ = 0;
  bool is_registered_ = false;
  HANDLE wait_ = nullptr;
  std::function<void()> notify_;
  std::atomic<bool> has_notice_{false};
  VideoMemoryInfo last_;
};

}  // namespace ndml
