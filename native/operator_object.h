/** JavaScript's NativeOperator: a compiled operator of one device, with the binding points of its descriptor. */
#pragma once

#include <napi.h>

#include <memory>
#include <vector>

#include "device_host.h"
#include "operator_desc.h"

namespace ndml {

class OperatorObject final : public Napi::ObjectWrap<OperatorObject>, public DeviceChild {
 public:
  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<CompiledOperator> compiled;
    std::vector<TensorSlot> inputs;
    std::vector<TensorSlot> outputs;
  };

  static Napi::Function Define(Napi::Env env);
  static Napi::Object Create(Napi::Env env, Argument argument);
  /** Null when the value is anything else. */
  static OperatorObject* From(const Napi::Value& value);

  explicit OperatorObject(const Napi::CallbackInfo& info);
  ~OperatorObject() override;

  const std::shared_ptr<DeviceHost>& host() const { return host_; }
  /** Null once disposed. */
  const std::shared_ptr<CompiledOperator>& compiled() const { return compiled_; }
  const std::vector<TensorSlot>& inputs() const { return inputs_; }
  const std::vector<TensorSlot>& outputs() const { return outputs_; }
  void ReleaseNative() override;

 private:
  Napi::Value Dispose(const Napi::CallbackInfo& info);

  std::shared_ptr<LiveCounters> counters_;
  std::shared_ptr<DeviceHost> host_;
  std::shared_ptr<CompiledOperator> compiled_;
  std::vector<TensorSlot> inputs_;
  std::vector<TensorSlot> outputs_;
};

}  // namespace ndml
