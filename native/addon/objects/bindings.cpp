#include "addon/objects/bindings.h"

#include <algorithm>

#include "addon/values/js_error.h"

namespace ndml {

namespace {

/** How many numbers a row of RangeRows has. */
constexpr size_t kColumns = 3;

[[noreturn]] void Reject(const TensorSlot& slot, const std::string& problem) {
  throw Failure("ERR_INVALID_BINDING", slot.field + ": " + problem).Field(slot.field);
}

}  // namespace

RangeRows::RangeRows(Napi::Env env) : buffers_(*AddonState::Of(env).buffers) {}

RangeRows::RangeRows(const Napi::Value& value, size_t count) : RangeRows(value.Env()) {
  RequireRows(Begin(value, "ranges"), count);
}

RangeRows::RangeRows(const Napi::Value& value, const AddonState& state, const OperatorObject** op)
    : buffers_(*state.buffers) {
  const size_t length = Begin(value, "command");
  *op = state.operators->Find(length == 0 ? 0 : CheckedSize(Next(), "command"));
  if (*op == nullptr) {
    throw Failure("ERR_INVALID_ARGUMENT", "command: expected the number of an operator").Field("command");
  }
  RequireRows(length - 1, (*op)->inputs().size() + (*op)->outputs().size());
}

size_t RangeRows::Begin(const Napi::Value& value, const char* name) {
  napi_typedarray_type type = napi_uint8_array;
  size_t length = 0;
  void* data = nullptr;
  const napi_status status = napi_get_typedarray_info(value.Env(), value, &type, &length, &data, nullptr, nullptr);
  if (status != napi_ok || type != napi_float64_array) {
    throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected a Float64Array").Field(name);
  }
  numbers_ = static_cast<const volatile double*>(data);
  return numbers_ == nullptr ? 0 : length;
}

void RangeRows::RequireRows(size_t length, size_t count) {
  if (length == kColumns * count) return;
  throw Failure("ERR_INVALID_BINDING", "ranges: expected " + std::to_string(kColumns * count) + " numbers, for " +
                                           std::to_string(count) + " binding points, given " + std::to_string(length));
}

void RangeRows::Read(const std::vector<TensorSlot>& slots, const DeviceHost* host, BindingStage stage,
                     std::vector<BufferRange>* ranges) {
  for (const TensorSlot& slot : slots) {
    const BufferObject* const buffer = Buffer(Next());
    const double given_offset = Next();
    const double given_size = Next();
    const bool wanted = slot.present && slot.owned_by_dml == (stage == BindingStage::Initialization);
    if (buffer == nullptr) {
      if (wanted) Reject(slot, "nothing is bound");
      ranges->emplace_back();
      continue;
    }
    if (!wanted) {
      Reject(slot, slot.present ? "a tensor that DirectML owns is bound at initialization and only then"
                                : "bound, though the descriptor leaves this tensor out");
    }
    const std::shared_ptr<Resource>& resource = CheckedResource(*buffer, host, slot.field);
    const uint64_t offset = CheckedSize(given_offset, "offset");
    const uint64_t size = CheckedSize(given_size, "sizeInBytes");
    if (offset % DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT != 0) {
      Reject(slot, "the offset must be a multiple of 16, given " + std::to_string(offset));
    }
    // DirectML counts a tensor's size in whole 32-bit words, and a buffer's capacity is a multiple of 4 bytes.
    const uint64_t capacity = buffer->capacity();
    if (size > capacity || offset > capacity - size) {
      Reject(slot, "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                       " do not lie within a buffer of " + std::to_string(buffer->size()) + " bytes");
    }
    const uint64_t bound = std::min(RoundUp(size, 4), capacity - offset);
    if (bound < slot.required_bytes || bound == 0) {
      Reject(slot, "the tensor needs " + std::to_string(slot.required_bytes) + " bytes, given " + std::to_string(size));
    }
    ranges->push_back({resource, buffer->base() + offset, bound});
  }
}

const BufferObject& RangeRows::ReadBuffer() {
  const BufferObject* const buffer = Buffer(Next());
  if (buffer == nullptr) throw Failure("ERR_INVALID_ARGUMENT", "ranges: expected a buffer").Field("ranges");
  return *buffer;
}

const BufferObject* RangeRows::Buffer(double number) const {
  if (number == 0) return nullptr;
  const BufferObject* const buffer = buffers_.Find(CheckedSize(number, "ranges"));
  if (buffer != nullptr) return buffer;
  throw Failure("ERR_INVALID_ARGUMENT", "ranges: there is no buffer with the number " + std::to_string(number))
      .Field("ranges");
}

uint64_t CheckedSize(double number, const char* name) {
  if (number >= 0 && number <= 9007199254740991.0) {
    const auto size = static_cast<uint64_t>(number);
    if (static_cast<double>(size) == number) return size;
  }
  throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected an integer from 0 to 2^53 - 1").Field(name);
}

const std::shared_ptr<Resource>& CheckedResource(const BufferObject& buffer, const DeviceHost* host,
                                                 const std::string& field) {
  if (buffer.host().get() != host) {
    throw Failure("ERR_WRONG_DEVICE", field + ": the buffer belongs to another device").Field(field);
  }
  if (!buffer.resource()) throw Failure("ERR_DISPOSED", field + ": the buffer has been disposed").Field(field);
  return buffer.resource();
}

}  // namespace ndml
