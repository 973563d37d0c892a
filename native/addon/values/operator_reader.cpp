#include "addon/values/operator_reader.h"

#include <cstring>
#include <optional>

#include "describe/operator_table.h"

namespace ndml {

namespace {

constexpr int kMaxNesting = 4;

class OperatorReader {
 public:
  explicit OperatorReader(OperatorDesc* target) : target_(target) {}

  void ReadOperator(const Napi::Value& value, const Path& path, int depth, DML_OPERATOR_DESC* desc);

 private:
  template <typename T, typename Read>
  const T* ReadNumbers(const Napi::Value& value, const Path& path, uint32_t* length, Read read) {
    const Napi::Array array = ReadArray(value, path, length);
    T* items = target_->Allocate<T>(*length);
    for (uint32_t i = 0; i < *length; ++i) {
      const Napi::HandleScope scope(array.Env());
      items[i] = read(array.Get(i), Path{&path, "", i});
    }
    return items;
  }

  void ReadTensor(const Napi::Value& value, const Path& path, DML_TENSOR_DESC* tensor, TensorSlot* slot);
  const DML_TENSOR_DESC* ReadTensors(const Napi::Value& value, const Path& path, bool input, bool nested,
                                     uint32_t* length);
  const DML_TENSOR_DESC* ReadTensorField(const Napi::Value& value, const Path& path, bool input, bool optional,
                                         bool nested);
  /** Returns the length of an array field; nullopt for other fields and for null. */
  std::optional<uint32_t> ReadField(const Napi::Value& value, const FieldRow& row, const Path& path, int depth,
                                    std::byte* field);
  void AddSlot(bool input, bool nested, TensorSlot slot) {
    if (!nested) (input ? target_->inputs : target_->outputs).push_back(std::move(slot));
  }

  OperatorDesc* target_;
};

void OperatorReader::ReadOperator(const Napi::Value& value, const Path& path, int depth, DML_OPERATOR_DESC* desc) {
  if (depth > kMaxNesting) Reject(path, "at most " + std::to_string(kMaxNesting) + " levels of operators");
  const Napi::Object object = ReadObject(value, path);
  const Path type_path{&path, "type"};
  const UINT type = ReadUInt(object.Get("type"), type_path);
  const OperatorRow* row = FindOperator(type);
  if (row == nullptr) Reject(type_path, "a DML_OPERATOR_TYPE of the operator table, given " + std::to_string(type));

  std::byte* memory = target_->Allocate<std::byte>(row->size);
  std::vector<std::optional<uint32_t>> lengths(row->field_count);
  for (size_t i = 0; i < row->field_count; ++i) {
    const FieldRow& field = row->fields[i];
    const Napi::HandleScope scope(object.Env());
    lengths[i] = ReadField(object.Get(field.name), field, Path{&path, field.name}, depth, memory + field.offset);
  }
  for (size_t i = 0; i < row->field_count; ++i) {
    const FieldRow& array = row->fields[i];
    if (!lengths[i] || array.count_field[0] == '\0') continue;
    for (size_t j = 0; j < row->field_count; ++j) {
      const FieldRow& counter = row->fields[j];
      if (std::strcmp(counter.name, array.count_field) != 0) continue;
      UINT count = 0;
      std::memcpy(&count, memory + counter.offset, sizeof(count));
      if (count != *lengths[i]) {
        Reject(Path{&path, array.name},
               std::to_string(count) + " elements as " + counter.name + " says, given " + std::to_string(*lengths[i]));
      }
    }
  }
  desc->Type = row->type;
  desc->Desc = memory;
}

std::optional<uint32_t> OperatorReader::ReadField(const Napi::Value& value, const FieldRow& row, const Path& path,
                                                  int depth, std::byte* field) {
  const auto store = [field](const auto& data) { std::memcpy(field, &data, sizeof(data)); };
  const bool nested = depth > 0;
  uint32_t length = 0;
  switch (row.kind) {
    case FieldKind::InputTensor:
    case FieldKind::OutputTensor:
      store(ReadTensorField(value, path, row.kind == FieldKind::InputTensor, row.optional, nested));
      return std::nullopt;
    case FieldKind::UInt:
    case FieldKind::Enum:
      store(ReadUInt(value, path));
      return std::nullopt;
    case FieldKind::Int:
      store(ReadInt(value, path));
      return std::nullopt;
    case FieldKind::Float:
      store(ReadFloat(value, path));
      return std::nullopt;
    case FieldKind::Bool:
      if (!value.IsBoolean()) Reject(path, "a boolean");
      store(static_cast<BOOL>(value.As<Napi::Boolean>().Value() ? TRUE : FALSE));
      return std::nullopt;
    case FieldKind::Size2D: {
      const Napi::Object object = ReadObject(value, path);
      DML_SIZE_2D size = {};
      size.Width = ReadUInt(object.Get("width"), Path{&path, "width"});
      size.Height = ReadUInt(object.Get("height"), Path{&path, "height"});
      store(size);
      return std::nullopt;
    }
    case FieldKind::Scalar: {
      constexpr const char* kExpected = "a Uint8Array of 8 bytes";
      if (!value.IsTypedArray()) Reject(path, kExpected);
      const Napi::TypedArray array = value.As<Napi::TypedArray>();
      if (array.TypedArrayType() != napi_uint8_array || array.ByteLength() != sizeof(DML_SCALAR_UNION)) {
        Reject(path, kExpected);
      }
      const uint8_t* bytes = value.As<Napi::Uint8Array>().Data();
      if (bytes == nullptr) Reject(path, kExpected);
      std::memcpy(field, bytes, sizeof(DML_SCALAR_UNION));
      return std::nullopt;
    }
    default:
      break;
  }
  // All remaining kinds are pointers. Only optional ones may be null.
  if (IsNullish(value)) {
    if (!row.optional) Reject(path, "a value");
    return std::nullopt;
  }
  switch (row.kind) {
    case FieldKind::ScaleBias: {
      const Napi::Object object = ReadObject(value, path);
      auto* scale_bias = target_->Allocate<DML_SCALE_BIAS>(1);
      scale_bias->Scale = ReadFloat(object.Get("scale"), Path{&path, "scale"});
      scale_bias->Bias = ReadFloat(object.Get("bias"), Path{&path, "bias"});
      store(static_cast<const DML_SCALE_BIAS*>(scale_bias));
      return std::nullopt;
    }
    case FieldKind::Operator: {
      auto* nested_desc = target_->Allocate<DML_OPERATOR_DESC>(1);
      ReadOperator(value, path, depth + 1, nested_desc);
      store(static_cast<const DML_OPERATOR_DESC*>(nested_desc));
      return std::nullopt;
    }
    case FieldKind::OperatorArray: {
      const Napi::Array array = ReadArray(value, path, &length);
      auto* descs = target_->Allocate<DML_OPERATOR_DESC>(length);
      for (uint32_t i = 0; i < length; ++i) ReadOperator(array.Get(i), Path{&path, "", i}, depth + 1, &descs[i]);
      store(static_cast<const DML_OPERATOR_DESC*>(descs));
      return length;
    }
    case FieldKind::InputTensorArray:
    case FieldKind::OutputTensorArray:
      store(ReadTensors(value, path, row.kind == FieldKind::InputTensorArray, nested, &length));
      return length;
    case FieldKind::UIntArray:
      store(ReadNumbers<UINT>(value, path, &length, ReadUInt));
      return length;
    case FieldKind::IntArray:
      store(ReadNumbers<INT>(value, path, &length, ReadInt));
      return length;
    case FieldKind::FloatArray:
      store(ReadNumbers<FLOAT>(value, path, &length, ReadFloat));
      return length;
    default:
      return std::nullopt;
  }
}

const DML_TENSOR_DESC* OperatorReader::ReadTensorField(const Napi::Value& value, const Path& path, bool input,
                                                       bool optional, bool nested) {
  TensorSlot slot;
  if (IsNullish(value)) {
    // A fused activation has no tensors.
    if (!optional && !nested) Reject(path, "a tensor");
    slot.field = nested ? std::string() : path.Text();
    AddSlot(input, nested, std::move(slot));
    return nullptr;
  }
  auto* tensor = target_->Allocate<DML_TENSOR_DESC>(1);
  ReadTensor(value, path, tensor, &slot);
  AddSlot(input, nested, std::move(slot));
  return tensor;
}

const DML_TENSOR_DESC* OperatorReader::ReadTensors(const Napi::Value& value, const Path& path, bool input, bool nested,
                                                   uint32_t* length) {
  const Napi::Array array = ReadArray(value, path, length);
  auto* tensors = target_->Allocate<DML_TENSOR_DESC>(*length);
  for (uint32_t i = 0; i < *length; ++i) {
    const Napi::HandleScope scope(array.Env());
    TensorSlot slot;
    ReadTensor(array.Get(i), Path{&path, "", i}, &tensors[i], &slot);
    AddSlot(input, nested, std::move(slot));
  }
  return tensors;
}

void OperatorReader::ReadTensor(const Napi::Value& value, const Path& path, DML_TENSOR_DESC* tensor, TensorSlot* slot) {
  const Napi::Object object = ReadObject(value, path);
  auto* buffer = target_->Allocate<DML_BUFFER_TENSOR_DESC>(1);
  buffer->DataType = static_cast<DML_TENSOR_DATA_TYPE>(ReadUInt(object.Get("dataType"), Path{&path, "dataType"}));
  buffer->Flags = static_cast<DML_TENSOR_FLAGS>(ReadUInt(object.Get("flags"), Path{&path, "flags"}));
  uint32_t dimension_count = 0;
  buffer->Sizes = ReadNumbers<UINT>(object.Get("sizes"), Path{&path, "sizes"}, &dimension_count, ReadUInt);
  buffer->DimensionCount = dimension_count;
  const Napi::Value strides = object.Get("strides");
  if (!IsNullish(strides)) {
    const Path strides_path{&path, "strides"};
    uint32_t stride_count = 0;
    buffer->Strides = ReadNumbers<UINT>(strides, strides_path, &stride_count, ReadUInt);
    if (stride_count != dimension_count) Reject(strides_path, "as many strides as sizes");
  }
  buffer->TotalTensorSizeInBytes =
      ReadUInt64(object.Get("totalTensorSizeInBytes"), Path{&path, "totalTensorSizeInBytes"});
  buffer->GuaranteedBaseOffsetAlignment =
      ReadUInt(object.Get("guaranteedBaseOffsetAlignment"), Path{&path, "guaranteedBaseOffsetAlignment"});
  tensor->Type = DML_TENSOR_TYPE_BUFFER;
  tensor->Desc = buffer;
  slot->present = true;
  slot->owned_by_dml = (buffer->Flags & DML_TENSOR_FLAG_OWNED_BY_DML) != 0;
  slot->required_bytes = buffer->TotalTensorSizeInBytes;
  slot->field = path.Text();
}

}  // namespace

OperatorDesc ReadOperatorDesc(const Napi::Value& value, const Path& path) {
  OperatorDesc desc;
  OperatorReader(&desc).ReadOperator(value, path, 0, &desc.dml);
  return desc;
}

}  // namespace ndml
