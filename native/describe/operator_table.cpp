#include "describe/operator_table.h"

#include <iterator>
#include <type_traits>

namespace ndml {

namespace {

template <FieldKind kind, typename T>
constexpr bool Fits() {
  switch (kind) {
    case FieldKind::InputTensor:
    case FieldKind::OutputTensor:
    case FieldKind::InputTensorArray:
    case FieldKind::OutputTensorArray:
      return std::is_same_v<T, const DML_TENSOR_DESC*>;
    case FieldKind::UInt:
      return std::is_same_v<T, UINT>;
    case FieldKind::Int:
      return std::is_same_v<T, INT>;
    case FieldKind::Float:
      return std::is_same_v<T, FLOAT>;
    case FieldKind::Bool:
      return std::is_same_v<T, BOOL>;
    case FieldKind::Enum:
      return std::is_enum_v<T> && sizeof(T) == sizeof(UINT);
    case FieldKind::UIntArray:
      return std::is_same_v<T, const UINT*>;
    case FieldKind::IntArray:
      return std::is_same_v<T, const INT*>;
    case FieldKind::FloatArray:
      return std::is_same_v<T, const FLOAT*>;
    case FieldKind::Size2D:
      return std::is_same_v<T, DML_SIZE_2D>;
    case FieldKind::ScaleBias:
      return std::is_same_v<T, const DML_SCALE_BIAS*>;
    case FieldKind::Scalar:
      return std::is_same_v<T, DML_SCALAR_UNION>;
    case FieldKind::Operator:
    case FieldKind::OperatorArray:
      return std::is_same_v<T, const DML_OPERATOR_DESC*>;
  }
  return false;
}

template <FieldKind kind, typename T>
constexpr FieldRow Row(const char* name, size_t offset, const char* count_field, unsigned flags) {
  static_assert(Fits<kind, T>(), "the field's kind in the table and its type in DirectML.h differ");
  return {kind, name, offset, count_field, (flags & 1) != 0};
}

// First pass: one array of fields per operator.
#define DML_OPERATOR_ROW_BEGIN(Type, Struct) constexpr FieldRow kFieldsOf_##Type[] = {
#define DML_FIELD(kind, name, Struct, member, count, flags) \
  Row<FieldKind::kind, decltype(Struct::member)>(name, offsetof(Struct, member), count, flags),
#define DML_OPERATOR_ROW_END() \
  }                            \
  ;
#include "describe/generated/operator_table.inc"
#undef DML_OPERATOR_ROW_BEGIN
#undef DML_FIELD
#undef DML_OPERATOR_ROW_END

// Second pass: the rows of the operators.
#define DML_OPERATOR_ROW_BEGIN(Type, Struct) \
  {DML_OPERATOR_##Type, #Struct, sizeof(Struct), kFieldsOf_##Type, std::size(kFieldsOf_##Type)},
#define DML_FIELD(kind, name, Struct, member, count, flags)
#define DML_OPERATOR_ROW_END()
constexpr OperatorRow kOperators[] = {
#include "describe/generated/operator_table.inc"
};
#undef DML_OPERATOR_ROW_BEGIN
#undef DML_FIELD
#undef DML_OPERATOR_ROW_END

}  // namespace

const char* FieldKindName(FieldKind kind) {
  switch (kind) {
    case FieldKind::InputTensor:
    case FieldKind::OutputTensor:
      return "tensor";
    case FieldKind::InputTensorArray:
    case FieldKind::OutputTensorArray:
      return "tensorArray";
    case FieldKind::UInt:
      return "uint";
    case FieldKind::Int:
      return "int";
    case FieldKind::Float:
      return "float";
    case FieldKind::Bool:
      return "bool";
    case FieldKind::Enum:
      return "enum";
    case FieldKind::UIntArray:
      return "uintArray";
    case FieldKind::IntArray:
      return "intArray";
    case FieldKind::FloatArray:
      return "floatArray";
    case FieldKind::Size2D:
      return "size2d";
    case FieldKind::ScaleBias:
      return "scaleBias";
    case FieldKind::Scalar:
      return "scalar";
    case FieldKind::Operator:
      return "operator";
    case FieldKind::OperatorArray:
      return "operatorArray";
  }
  return "";
}

OperatorTable Operators() { return {kOperators, std::size(kOperators)}; }

const OperatorRow* FindOperator(uint32_t type) {
  for (const OperatorRow& row : kOperators) {
    if (static_cast<uint32_t>(row.type) == type) return &row;
  }
  return nullptr;
}

}  // namespace ndml
