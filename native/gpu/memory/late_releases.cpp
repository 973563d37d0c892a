#include "gpu/memory/late_releases.h"

#include <new>
#include <utility>

namespace ndml {

void LateReleases::Add(ComPtr<IUnknown> object) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (wake_ == nullptr) return;
  try {
    objects_.push_back(std::move(object));
  } catch (const std::bad_alloc&) {
    // This thread releases it.
    return;
  }
  ::SetEvent(wake_);
}

void LateReleases::ReleaseAll() {
  std::vector<ComPtr<IUnknown>> objects;
  const std::lock_guard<std::mutex> lock(mutex_);
  objects.swap(objects_);
}

void LateReleases::Close() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    wake_ = nullptr;
  }
  ReleaseAll();
}

}  // namespace ndml
