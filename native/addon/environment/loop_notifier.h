/** Lets any thread trigger a callback on the JavaScript thread, through a thread-safe function of Node-API. */
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
   * `on_notified` is called on the JavaScript thread after `Notify`, unless JavaScript can no longer run. `owner` is the
   * object of which this is a member. It is kept alive until Node-API finalizes the function, some time after `Close`.
   */
  void Open(Napi::Env env, std::shared_ptr<void> owner, std::function<void()> on_notified);
  /** Ends all notifications. No other thread may call `Notify` at the same time or afterwards. */
  void Close();
  /** Can be called on any thread. Several calls may lead to one call of `on_notified`. */
  void Notify();
  /** Sets whether this keeps the event loop alive. At first it does not. */
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
