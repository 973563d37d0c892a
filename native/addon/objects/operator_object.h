/** JavaScript's NativeOperator: a compiled operator of one device, with the binding points of its descriptor. */
#pragma once

#include <napi.h>

#include <memory>
#include <vector>

#include "addon/environment/addon_state.h"
#include "addon/objects/device_child_object.h"
#include "describe/operator_desc.h"

namespace ndml {

class OperatorObject final : public DeviceChildObject<OperatorObject, CompiledOperator> {
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

  /** Null once the operator is disposed. */
  const std::shared_ptr<CompiledOperator>& compiled() const { return held(); }
  const std::vector<TensorSlot>& inputs() const { return inputs_; }
  const std::vector<TensorSlot>& outputs() const { return outputs_; }
  void ReleaseNative() override;

 private:
  std::vector<TensorSlot> inputs_;
  std::vector<TensorSlot> outputs_;
  OwnNumber<OperatorObject> number_;
};

}  // namespace ndml
