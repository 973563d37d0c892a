/**
 * A DML_OPERATOR_DESC that owns all the memory it points to, with the tensors that a dispatch binds. Whoever describes an
 * operator (addon/operator_reader.h) allocates its structs and arrays here.
 */
#pragma once

#include <cstddef>
#include <cstdint>
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
  OperatorDesc() = default;
  OperatorDesc(OperatorDesc&&) = default;
  OperatorDesc& operator=(OperatorDesc&&) = default;

  /** Points into this object's memory, wherever the object is moved. */
  DML_OPERATOR_DESC dml = {};
  std::vector<TensorSlot> inputs;
  std::vector<TensorSlot> outputs;

  /** Zeroed memory that lives as long as this; at least one element. Throws ERR_INVALID_DESCRIPTOR beyond 16 MiB in all. */
  template <typename T>
  T* Allocate(size_t count) {
    return reinterpret_cast<T*>(AllocateBytes(sizeof(T) * (count == 0 ? 1 : count)));
  }

 private:
  void* AllocateBytes(size_t bytes);

  std::vector<std::unique_ptr<std::max_align_t[]>> blocks_;
  size_t allocated_ = 0;
};

}  // namespace ndml
