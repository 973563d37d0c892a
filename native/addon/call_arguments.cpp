#include "addon/call_arguments.h"

#include "addon/bindings.h"
#include "addon/js_error.h"
#include "gpu/directml_library.h"

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

void CheckRange(const BufferObject& buffer, uint64_t offset, uint64_t size) {
  if (size <= buffer.size() && offset <= buffer.size() - size) return;
  throw Failure("ERR_INVALID_ARGUMENT", "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                                            " do not lie within a buffer of " + std::to_string(buffer.size()) +
                                            " bytes")
      .Field("offset");
}

}  // namespace ndml
