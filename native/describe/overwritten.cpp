#include "describe/overwritten.h"

#include <string>

#include "describe/operator_table.h"

namespace ndml {

namespace {

/** True if the operator computes each element of its outputs on its own, for any input. */
bool ComputesEachElement(const OperatorRow& row) {
  switch (row.type) {
    case DML_OPERATOR_CAST:
    case DML_OPERATOR_CONVOLUTION:
    case DML_OPERATOR_GEMM:
    case DML_OPERATOR_REDUCE:
      return true;
    default: {
      const std::string name = row.name;
      return name.rfind("DML_ELEMENT_WISE_", 0) == 0 || name.rfind("DML_ACTIVATION_", 0) == 0;
    }
  }
}

/** 0 for elements that share a byte. */
uint64_t ElementBytes(DML_TENSOR_DATA_TYPE type) {
  switch (type) {
    case DML_TENSOR_DATA_TYPE_UINT8:
    case DML_TENSOR_DATA_TYPE_INT8:
      return 1;
    case DML_TENSOR_DATA_TYPE_FLOAT16:
    case DML_TENSOR_DATA_TYPE_UINT16:
    case DML_TENSOR_DATA_TYPE_INT16:
      return 2;
    case DML_TENSOR_DATA_TYPE_FLOAT32:
    case DML_TENSOR_DATA_TYPE_UINT32:
    case DML_TENSOR_DATA_TYPE_INT32:
      return 4;
    case DML_TENSOR_DATA_TYPE_FLOAT64:
    case DML_TENSOR_DATA_TYPE_UINT64:
    case DML_TENSOR_DATA_TYPE_INT64:
      return 8;
    default:
      return 0;
  }
}

/** The size of a tensor's elements if they are packed; else 0. */
uint64_t PackedBytes(const DML_BUFFER_TENSOR_DESC& tensor) {
  uint64_t elements = 1;
  for (UINT i = tensor.DimensionCount; i-- > 0;) {
    if (tensor.Strides != nullptr && tensor.Sizes[i] != 1 && tensor.Strides[i] != elements) return 0;
    elements *= tensor.Sizes[i];
  }
  return elements * ElementBytes(tensor.DataType);
}

}  // namespace

std::vector<uint64_t> OverwrittenBytes(const DML_OPERATOR_DESC& desc) {
  std::vector<uint64_t> bytes;
  const OperatorRow* const row = FindOperator(desc.Type);
  if (row == nullptr || !ComputesEachElement(*row)) return bytes;
  for (size_t i = 0; i < row->field_count; ++i) {
    if (row->fields[i].kind != FieldKind::OutputTensor) continue;
    const auto* const field = static_cast<const char*>(desc.Desc) + row->fields[i].offset;
    const DML_TENSOR_DESC* const tensor = *reinterpret_cast<const DML_TENSOR_DESC* const*>(field);
    bytes.push_back(tensor == nullptr ? 0 : PackedBytes(*static_cast<const DML_BUFFER_TENSOR_DESC*>(tensor->Desc)));
  }
  return bytes;
}

}  // namespace ndml
