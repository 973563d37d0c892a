#include "gpu/work/orphans.h"

#include <atomic>
#include <system_error>
#include <thread>

namespace ndml {

namespace {

// State of the whole process, because the environments have ended.
std::atomic<int64_t> orphans{0};

bool KeepAddonLoaded() {
  HMODULE addon = nullptr;
  return ::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                              reinterpret_cast<LPCWSTR>(&orphans), &addon) != 0;
}

void WaitAndRelease(std::unique_ptr<DeviceRemains> remains) {
  remains->queue->Finish(INFINITE);
  remains.reset();
  --orphans;
}

}  // namespace

void ReleaseWhenFinished(DeviceRemains remains) {
  ++orphans;
  auto owned = std::make_unique<DeviceRemains>(std::move(remains));
  DeviceRemains* const kept = owned.get();
  try {
    if (KeepAddonLoaded()) {
      std::thread([kept] { WaitAndRelease(std::unique_ptr<DeviceRemains>(kept)); }).detach();
      static_cast<void>(owned.release());
      return;
    }
  } catch (const std::system_error&) {
    // The thread could not be created.
  }
  // Leaked until the process ends. It counts as an orphan until then.
  static_cast<void>(owned.release());
}

int64_t OrphanedDevices() { return orphans; }

}  // namespace ndml
