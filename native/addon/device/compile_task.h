/**
 * Compiles an operator or a graph off the JavaScript thread, then records its initialization on the JavaScript thread.
 * If the device was disposed or lost in the meantime, the promise is rejected with ERR_DISPOSED or ERR_DEVICE_LOST.
 */
#pragma once

#include <functional>

#include "addon/environment/async_task.h"
#include "addon/host/device_allocation.h"
#include "addon/objects/operator_object.h"

namespace ndml {

class CompileTask final : public AsyncTask {
 public:
  /** The description to compile, and the tensors that it binds. */
  struct Source {
    /** Runs off the JavaScript thread. */
    std::function<CompiledDispatchables(IDMLDevice*)> compile;
    std::vector<TensorSlot> inputs;
    std::vector<TensorSlot> outputs;
    bool is_graph = false;
    /** See CompiledOperator. */
    std::vector<uint64_t> overwritten;
  };

  CompileTask(Napi::Env env, Napi::Object device, std::shared_ptr<DeviceHost> host, Source source,
              std::shared_ptr<const std::vector<BufferRange>> initialization_inputs)
      : AsyncTask(env),
        device_(Napi::Persistent(device)),
        host_(std::move(host)),
        dml_(host_->gpu().dml),
        info_queue_(host_->gpu().info_queue),
        source_(std::move(source)),
        initialization_inputs_(std::move(initialization_inputs)) {}

 protected:
  void Execute() override {
    result_ = WithDebugMessages(info_queue_.Get(), [&] { return source_.compile(dml_.Get()); });
  }

  Napi::Value Complete() override {
    host_->RequireOpen();
    auto compiled = std::make_shared<CompiledOperator>();
    compiled->dml = result_.compiled;
    compiled->overwritten = source_.overwritten;
    if (source_.is_graph) compiled->releases = host_->queue().releases();
    compiled->properties = BindingProperties(result_.compiled.Get());
    const uint64_t persistent_size = compiled->properties.PersistentResourceSize;
    if (persistent_size > 0) {
      compiled->persistent = AllocateResource(*host_, persistent_size);
      compiled->persistent->counted =
          CountedBytes(host_->counters(), &LiveCounters::persistent_bytes, compiled->persistent->capacity);
    }
    ReserveDispatch(*host_, BindingProperties(result_.initializer.Get()));
    host_->Run([&] { host_->recorder().Initialize(compiled, result_.initializer, *initialization_inputs_); });
    // Unsubmitted work keeps an operator alive even after `dispose`, and a graph is too large for that.
    if (source_.is_graph) host_->Run([&] { host_->work().Submit(); });
    return OperatorObject::Create(Env(), {host_, compiled, source_.inputs, source_.outputs});
  }

 private:
  /** Keeps the device's JavaScript object alive while the promise is pending. */
  Napi::ObjectReference device_;
  std::shared_ptr<DeviceHost> host_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<ID3D12InfoQueue> info_queue_;
  Source source_;
  /** LaterReads changes these ranges if a command overwrites their contents. */
  std::shared_ptr<const std::vector<BufferRange>> initialization_inputs_;
  CompiledDispatchables result_;
};

}  // namespace ndml
