#include "addon/objects/call_arguments.h"

#include "addon/objects/bindings.h"
#include "addon/values/js_error.h"
#include "gpu/device/directml_library.h"

namespace ndml {

std::string ReadString(const Napi::Object& options, const char* name, bool required) {
  const Napi::Value value = options.Get(name);
  if (value.IsUndefined() && !required) return {};
  if (!value.IsString()) throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected a string").Field(name);
  return value.As<Napi::String>().Utf8Value();
}

void RequireAbsolutePath(const std::string& path, const char* name) {
  if (IsAbsolutePath(path)) return;
  throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected an absolute path without NUL characters")
      .Field(name);
}

double ReadNumber(const Napi::Value& value, const char* name) {
  if (!value.IsNumber()) throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected a number").Field(name);
  return value.As<Napi::Number>().DoubleValue();
}

Napi::Uint8Array ReadBytes(const Napi::Value& value, const char* name) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected a Uint8Array").Field(name);
  }
  const Napi::Uint8Array bytes = value.As<Napi::Uint8Array>();
  if (bytes.ArrayBuffer().IsDetached()) {
    throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": its memory has been transferred").Field(name);
  }
  return bytes;
}

std::wstring ReadName(const Napi::Value& value) {
  static_assert(sizeof(wchar_t) == sizeof(char16_t), "Windows has 16-bit wide characters");
  const std::u16string name = value.IsString() ? value.As<Napi::String>().Utf16Value() : std::u16string(1, u'\0');
  if (name.size() <= MAX_PATH && name.find(u'\0') == std::u16string::npos) return {name.begin(), name.end()};
  throw Failure("ERR_INVALID_ARGUMENT",
                "name: expected a string of at most " + std::to_string(MAX_PATH) + " characters, none of them NUL")
      .Field("name");
}

BufferObject& ReadBuffer(const Napi::Value& value) {
  BufferObject* buffer = BufferObject::From(value);
  if (buffer == nullptr) throw Failure("ERR_INVALID_ARGUMENT", "buffer: expected a NativeBuffer").Field("buffer");
  return *buffer;
}

OperatorObject& ReadOperator(const Napi::Value& value) {
  OperatorObject* op = OperatorObject::From(value);
  if (op == nullptr) throw Failure("ERR_INVALID_ARGUMENT", "operator: expected a NativeOperator").Field("operator");
  return *op;
}

void ReadDispatch(const OperatorObject& op, RangeRows* rows, const DeviceHost* host, DispatchCommand* command) {
  RequireCompiled(op, host);
  rows->Read(op.inputs(), host, BindingStage::Execution, &command->inputs);
  rows->Read(op.outputs(), host, BindingStage::Execution, &command->outputs);
  command->op = op.compiled();
}

DML_EXECUTION_FLAGS ReadExecutionFlags(const Napi::Value& value) {
  constexpr uint64_t kKnown = 7;
  const uint64_t flags = CheckedSize(ReadNumber(value, "executionFlags"), "executionFlags");
  if (flags > kKnown) throw Failure("ERR_INVALID_ARGUMENT", "executionFlags: unknown flag").Field("executionFlags");
  return static_cast<DML_EXECUTION_FLAGS>(flags);
}

void RequireCompiled(const OperatorObject& op, const DeviceHost* host) {
  if (op.host().get() != host) throw Failure("ERR_WRONG_DEVICE", "the operator belongs to another device");
  if (!op.compiled()) throw Failure("ERR_DISPOSED", "the operator has been disposed");
}

uint64_t CheckedStart(const BufferObject& buffer, uint64_t offset, uint64_t size) {
  if (size <= buffer.size() && offset <= buffer.size() - size) return buffer.base() + offset;
  throw Failure("ERR_INVALID_ARGUMENT", "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                                            " do not lie within a buffer of " + std::to_string(buffer.size()) +
                                            " bytes")
      .Field("offset");
}

TextureObject& ReadTexture(const Napi::Value& value) {
  TextureObject* texture = TextureObject::From(value);
  if (texture == nullptr) throw Failure("ERR_INVALID_ARGUMENT", "texture: expected a NativeTexture").Field("texture");
  return *texture;
}

TextureCopy ReadTextureCopy(const TextureObject& texture, RangeRows* rows, const DeviceHost* host) {
  if (texture.host().get() != host) throw Failure("ERR_WRONG_DEVICE", "the texture belongs to another device");
  if (!texture.resource()) throw Failure("ERR_DISPOSED", "the texture has been disposed");
  const BufferObject& buffer = rows->ReadBuffer();
  const uint64_t offset = CheckedSize(rows->Next(), "offset");
  const uint64_t row_pitch = CheckedSize(rows->Next(), "bytesPerRow");
  const uint64_t x = CheckedSize(rows->Next(), "x");
  const uint64_t y = CheckedSize(rows->Next(), "y");
  const bool to_buffer = rows->Next() != 0;
  const uint64_t width = CheckedSize(rows->Next(), "width");
  const uint64_t height = CheckedSize(rows->Next(), "height");
  rows->Next();
  const auto is_within = [](uint64_t start, uint64_t size, uint64_t limit) {
    return size >= 1 && size <= limit && start <= limit - size;
  };
  if (!is_within(x, width, texture.width()) || !is_within(y, height, texture.height())) {
    throw Failure("ERR_INVALID_ARGUMENT", "region: expected a rectangle within the texture").Field("region");
  }
  const uint64_t row_bytes = width * BytesPerTexel(texture.format());
  if (row_pitch % D3D12_TEXTURE_DATA_PITCH_ALIGNMENT != 0 || row_pitch < row_bytes || row_pitch > UINT32_MAX) {
    throw Failure("ERR_INVALID_ARGUMENT", "bytesPerRow: expected a multiple of 256 of at least " +
                                              std::to_string(row_bytes) + ", given " + std::to_string(row_pitch))
        .Field("bytesPerRow");
  }
  const std::shared_ptr<Resource> resource = CheckedResource(buffer, host, "buffer");
  const uint64_t start = CheckedStart(buffer, offset, row_pitch * (height - 1) + row_bytes);
  if (start % D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT != 0) {
    throw Failure("ERR_INVALID_ARGUMENT", "offset: expected a multiple of 512, given " + std::to_string(start))
        .Field("offset");
  }
  TextureCopy copy;
  copy.texture = texture.resource();
  copy.buffer = resource;
  copy.to_buffer = to_buffer;
  copy.offset = start;
  copy.row_pitch = static_cast<uint32_t>(row_pitch);
  copy.x = static_cast<uint32_t>(x);
  copy.y = static_cast<uint32_t>(y);
  copy.width = static_cast<uint32_t>(width);
  copy.height = static_cast<uint32_t>(height);
  copy.format = texture.format();
  return copy;
}

}  // namespace ndml
