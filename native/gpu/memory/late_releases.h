/**
 * COM objects that another thread releases. Releasing a compiled graph of a thousand nodes takes DirectML milliseconds, for which
 * the JavaScript thread must not stop. All functions can be called on any thread.
 */
#pragma once

#include <mutex>
#include <vector>

#include "platform/com_ptr.h"

namespace ndml {

class LateReleases {
 public:
  /** `wake` is an event that wakes the other thread. It must live until `Close`. */
  explicit LateReleases(HANDLE wake) : wake_(wake) {}
  LateReleases(const LateReleases&) = delete;
  LateReleases& operator=(const LateReleases&) = delete;

  /** After `Close`, releases the object at once. */
  void Add(ComPtr<IUnknown> object);
  void ReleaseAll();
  void Close();

 private:
  std::mutex mutex_;
  /** Null after `Close`. */
  HANDLE wake_;
  std::vector<ComPtr<IUnknown>> objects_;
};

}  // namespace ndml
