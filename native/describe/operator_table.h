/**
 * The operator table: every descriptor struct with its fields and their offsets (offsetof) in the official DirectML.h.
 * The rows come from generated/operator_table.inc, which every build generates. A row that does not match the header does not
 * compile.
 */
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/compat.h"

namespace ndml {

enum class FieldKind {
  InputTensor,
  OutputTensor,
  InputTensorArray,
  OutputTensorArray,
  UInt,
  Int,
  Float,
  Bool,
  Enum,
  UIntArray,
  IntArray,
  FloatArray,
  Size2D,
  ScaleBias,
  Scalar,
  Operator,
  OperatorArray,
};

/** The kind's name in lib/descriptors/types.ts. */
const char* FieldKindName(FieldKind kind);

struct FieldRow {
  FieldKind kind;
  /** Name in JavaScript, in camelCase. */
  const char* name;
  size_t offset;
  /** Name of the field that counts this array's elements; empty for fields without one. */
  const char* count_field;
  bool optional;
};

struct OperatorRow {
  DML_OPERATOR_TYPE type;
  /** Name of the descriptor struct: `DML_SCATTER_ND_OPERATOR_DESC`. */
  const char* name;
  size_t size;
  const FieldRow* fields;
  size_t field_count;
};

struct OperatorTable {
  const OperatorRow* rows;
  size_t count;
};

OperatorTable Operators();

/** Returns null if the table does not have the type. */
const OperatorRow* FindOperator(uint32_t type);

}  // namespace ndml
