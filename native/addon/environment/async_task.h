/**
 * Work on libuv's thread pool that settles a promise. `Execute` runs off the JavaScript thread and must not touch
 * JavaScript; an exception rejects the promise. `Complete` runs on the JavaScript thread. If the environment is torn
 * down in the meantime, the task is dropped silently, because JavaScript can no longer run.
 */
#pragma once

#include <napi.h>

#include <exception>
#include <memory>
#include <optional>

#include "addon/values/js_error.h"

namespace ndml {

class AsyncTask {
 public:
  explicit AsyncTask(Napi::Env env) : env_(env) {}
  virtual ~AsyncTask() = default;
  AsyncTask(const AsyncTask&) = delete;
  AsyncTask& operator=(const AsyncTask&) = delete;

  /** Takes ownership of the task. */
  static Napi::Promise Queue(std::unique_ptr<AsyncTask> task, const char* name) {
    const Napi::Env env = task->env_;
    const Napi::String resource = Napi::String::New(env, name);
    // Created here and not in the constructor, because promise hooks are scripts: they must not run during construction.
    const Napi::Promise::Deferred deferred = task->deferred_.emplace(Napi::Promise::Deferred::New(env));
    napi_status status =
        napi_create_async_work(env, nullptr, resource, OnExecute, OnComplete, task.get(), &task->work_);
    if (status == napi_ok) status = napi_queue_async_work(env, task->work_);
    if (status == napi_ok) {
      // OnComplete owns the task from here on.
      static_cast<void>(task.release());
    } else {
      const Napi::Error error = Napi::Error::New(env);
      if (task->work_ != nullptr) napi_delete_async_work(env, task->work_);
      deferred.Reject(error.Value());
    }
    return deferred.Promise();
  }

 protected:
  Napi::Env Env() const { return env_; }
  virtual void Execute() = 0;
  virtual Napi::Value Complete() = 0;

 private:
  static void OnExecute(napi_env, void* data) {
    auto* task = static_cast<AsyncTask*>(data);
    try {
      task->Execute();
    } catch (...) {
      task->failure_ = std::current_exception();
    }
  }

  static void OnComplete(napi_env env, napi_status status, void* data) {
    const std::unique_ptr<AsyncTask> task(static_cast<AsyncTask*>(data));
    napi_delete_async_work(env, task->work_);
    if (status != napi_ok) return;
    const Napi::HandleScope scope(env);
    if (!CanRunJs(env)) return;
    try {
      task->Settle(env);
    } catch (...) {
      // This fails while the environment is torn down, or if a script throws that settling runs, such as a getter `then`.
    }
  }

  /** Settles the promise once. It is settled even if that throws, and then its deferred is gone. */
  void Settle(Napi::Env env) {
    Napi::Value value;
    try {
      if (failure_) std::rethrow_exception(failure_);
      value = Complete();
    } catch (...) {
      return deferred_->Reject(CurrentExceptionToJs(env).Value());
    }
    deferred_->Resolve(value);
  }

  Napi::Env env_;
  std::optional<Napi::Promise::Deferred> deferred_;
  napi_async_work work_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace ndml
