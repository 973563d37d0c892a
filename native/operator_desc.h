/**
 * The marshaller: a JavaScript descriptor becomes a DML_OPERATOR_DESC whose memory it owns, walking the operator
 * table. It survives anything that JavaScript can hand it (hostile getters, proxies, wrong types, huge counts): each
 * property is read once, and what does not fit throws ERR_INVALID_DESCRIPTOR with the path of the field.
 * Whether a well-formed descriptor makes sense is decided by lib/ before, and by DirectML after.
 */
#pragma once

#include <napi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "platform/compat.h"

namespace ndml {

/** One binding point of the operator, in the order of the descriptor's fields, arrays flattened. */
struct TensorSlot {
  /** False for an optional tensor that was left out: nothing may be bound. */
  bool present = false;
  /** Bound once, at initialization, and never again. */
  bool owned_by_dml = false;
  uint64_t required_bytes = 0;
  std::string field;
};

class OperatorDesc {
 public:
  explicit OperatorDesc(const Napi::Value& value);
  OperatorDesc(OperatorDesc&&) = default;
  OperatorDesc& operator=(OperatorDesc&&) = default;

  const DML_OPERATOR_DESC& get() const { return desc_; }
  const std::vector<TensorSlot>& inputs() const { return inputs_; }
  const std::vector<TensorSlot>& outputs() const { return outputs_; }

 private:
  friend class OperatorReader;

  DML_OPERATOR_DESC desc_ = {};
  std::vector<std::unique_ptr<std::max_align_t[]>> blocks_;
  std::vector<TensorSlot> inputs_;
  std::vector<TensorSlot> outputs_;
};

}  // namespace ndml
