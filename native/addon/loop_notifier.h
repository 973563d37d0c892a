/** Lets any thread have something done on the JavaScript thread, by a thread-safe function of Node-API. */
#pragma once

#include <napi.h>

#include <atomic>
#include <functional>
#include <memory>

namespace ndml {

class LoopNotifier {
 public:
  LoopNotifier() = default;
  LoopNotifier(const LoopNotifier&) = delete;
  LoopNotifier& operator=(const LoopNotifier&) = delete;

  /**
   * `on_notified` is called on the JavaScript thread after `Notify`, unless JavaScript can no longer run. `owner` is what
   * this is a member of; it is kept alive until Node-API is done with the function, some time after `Close`.
   */
  void Open(Napi::Env env, std::shared_ptr<void> owner, std::function<void()> on_notified);
  /** Nothing is notified any more. No other thread may be notifying. */
  void Close();
  /** Any thread. Several calls may lead to one call of `on_notified`. */
  void Notify();
  /** Whether the event loop has to stay alive. At first it has not. */
  void KeepLoopAlive(bool wanted);

 private:
  static void OnNotified(napi_env env, napi_value callback, void* context, void* data);
  static void OnFinalized(napi_env env, void* data, void* context);

  napi_env env_ = nullptr;
  std::function<void()> on_notified_;
  /** Null unless it is open. */
  napi_threadsafe_function function_ = nullptr;
  bool keeps_alive_ = false;
  std::atomic<bool> notified_{false};
};

}  // namespace ndml
