/** JavaScript's NativeOperator: a compiled operator of one device, with the binding points of its descriptor. */
#pragma once

#include <napi.h>

#include <memory>
#include <vector>

#include "addon/device_host.h"
#include "addon/native_object.h"
#include "describe/operator_desc.h"

namespace ndml {

class OperatorObject final : public NativeObject<OperatorObject>, public DeviceChild {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14c09e7a702, 0xb1f86c2d3e904a57};

  struct Argument {
    std::shared_ptr<DeviceHost> host;
    std::shared_ptr<CompiledOperator> compiled;
    std::vector<TensorSlot> inputs;
    std::vector<TensorSlot> outputs;
  };

  static Napi::Function Define(Napi::Env env);
  static Napi::Object Create(Napi::Env env, Argument argument);

  explicit OperatorObject(const Napi::CallbackInfo& info);
  ~OperatorObject() override;

  const std::shared_ptr<DeviceHost>& host() const { return host_; }
  /** Null once the operator is disposed. */
  const std::shared_ptr<CompiledOperator>& compiled() const { return compiled_; }
  const std::vector<TensorSlot>& inputs() const { return inputs_; }
  const std::vector<TensorSlot>& outputs() const { return outputs_; }
  void ReleaseNative() override;
  bool IsCollected() override { return Value().IsEmpty(); }

 private:
  Napi::Value Dispose(const Napi::CallbackInfo& info);

  std::shared_ptr<DeviceHost> host_;
  std::shared_ptr<CompiledOperator> compiled_;
  std::vector<TensorSlot> inputs_;
  std::vector<TensorSlot> outputs_;
  /** Memory that DirectML keeps for the operator. */
  uint64_t persistent_bytes_ = 0;
};

}  // namespace ndml
