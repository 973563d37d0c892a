/**
 * The operator table: every descriptor struct with its fields, laid out by offsetof against the official DirectML.h.
 * The rows come from generated/operator_table.inc; a row that does not fit the header does not compile.
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

/** The kind's name in lib/schema/types.ts. */
const char* FieldKindName(FieldKind kind);

struct FieldRow {
  FieldKind kind;
  /** In camelCase. */
  const char* name;
  size_t offset;
  /** The field that counts this array's elements; empty for others. */
  const char* count_field;
  bool optional;
};

struct OperatorRow {
  DML_OPERATOR_TYPE type;
  /** `DML_SCATTER_ND_OPERATOR_DESC`. */
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

/** Null for a type that the table does not have. */
const OperatorRow* FindOperator(uint32_t type);

}  // namespace ndml
