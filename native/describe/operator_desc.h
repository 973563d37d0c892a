/**
 * A DML_OPERATOR_DESC that owns all the memory it points to, and the list of tensors that a dispatch binds.
 * addon/values/operator_reader.h allocates the operator's structs and arrays in it.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/compat.h"

namespace ndml {

/** One binding point of the operator. Slots are in the order of the descriptor's fields, one per array element. */
struct TensorSlot {
  /** False for an optional tensor that was left out. Nothing may be bound then. */
  bool present = false;
  /** True for DML_TENSOR_FLAG_OWNED_BY_DML: bound once, at initialization. */
  bool owned_by_dml = false;
  uint64_t required_bytes = 0;
  std::string field;
};

class OperatorDesc {
 public:
  OperatorDesc() = default;
  OperatorDesc(OperatorDesc&&) = default;
  OperatorDesc& operator=(OperatorDesc&&) = default;

  /** Points into this object's memory. The pointers stay valid if the object is moved. */
  DML_OPERATOR_DESC dml = {};
  std::vector<TensorSlot> inputs;
  std::vector<TensorSlot> outputs;

  /**
   * Allocates zeroed memory that lives as long as this object, for one element if `count` is 0. Throws
   * ERR_INVALID_DESCRIPTOR beyond 16 MiB in total.
   */
  template <typename T>
  T* Allocate(size_t count) {
    return reinterpret_cast<T*>(AllocateBytes(sizeof(T) * (count == 0 ? 1 : count)));
  }

  size_t allocated_bytes() const { return allocated_; }

 private:
  void* AllocateBytes(size_t bytes);

  std::vector<std::unique_ptr<std::max_align_t[]>> blocks_;
  size_t allocated_ = 0;
};

}  // namespace ndml
