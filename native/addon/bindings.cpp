#include "addon/bindings.h"

#include <algorithm>
#include <cmath>

#include "addon/addon_state.h"
#include "addon/js_error.h"

namespace ndml {

namespace {

constexpr uint32_t kMaxBindings = 64 * 1024;

/** The indices of the names in AddonState's `binding_keys`. */
enum Key : uint32_t { kBuffer, kOffset, kSizeInBytes };
constexpr const char* kKeyNames[] = {"buffer", "offset", "sizeInBytes"};

double ReadNumber(const Napi::Object& object, const Napi::Value& key, Key which, const char* name, uint32_t index) {
  const Napi::Value value = object.Get(key);
  double number = 0;
  if (napi_get_value_double(value.Env(), value, &number) == napi_ok) return number;
  throw Failure("ERR_INVALID_ARGUMENT",
                std::string(name) + "[" + std::to_string(index) + "]." + kKeyNames[which] + ": expected a number");
}

[[noreturn]] void Reject(const TensorSlot& slot, const std::string& problem) {
  throw Failure("ERR_INVALID_BINDING", slot.field + ": " + problem).Field(slot.field);
}

}  // namespace

Napi::ObjectReference MakeBindingKeys(Napi::Env env) {
  const Napi::Array keys = Napi::Array::New(env);
  for (const Key key : {kBuffer, kOffset, kSizeInBytes}) keys.Set(key, Napi::String::New(env, kKeyNames[key]));
  return Napi::Persistent(keys.As<Napi::Object>());
}

RequestedBindings ReadBindings(const Napi::Value& value, const char* name) {
  RequestedBindings bindings;
  ReadBindings(value, name, &bindings);
  return bindings;
}

void ReadBindings(const Napi::Value& value, const char* name, RequestedBindings* bindings) {
  if (!value.IsArray()) throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected an array");
  const Napi::Array array = value.As<Napi::Array>();
  const uint32_t length = array.Length();
  if (length > kMaxBindings) throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": too many bindings");
  const Napi::Object keys = AddonState::Of(value.Env()).binding_keys.Value();
  const Napi::Value buffer_key = keys.Get(kBuffer);
  const Napi::Value offset_key = keys.Get(kOffset);
  const Napi::Value size_key = keys.Get(kSizeInBytes);
  bindings->assign(length, {});
  for (uint32_t i = 0; i < length; ++i) {
    const Napi::Value element = array.Get(i);
    const napi_valuetype type = element.Type();
    if (type == napi_null || type == napi_undefined) continue;
    const auto reject = [&](const char* expected) {
      throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + "[" + std::to_string(i) + "]: expected " + expected);
    };
    if (type != napi_object && type != napi_function) reject("a binding or null");
    const Napi::Object object = element.As<Napi::Object>();
    RequestedBinding& binding = (*bindings)[i];
    binding.buffer = BufferObject::From(object.Get(buffer_key));
    if (binding.buffer == nullptr) reject("a binding whose buffer is a NativeBuffer");
    binding.offset = ReadNumber(object, offset_key, kOffset, name, i);
    binding.size = ReadNumber(object, size_key, kSizeInBytes, name, i);
  }
}

std::vector<BufferRange> CheckBindings(const RequestedBindings& requested, const std::vector<TensorSlot>& slots,
                                       const DeviceHost* host, BindingStage stage, const char* name) {
  std::vector<BufferRange> ranges;
  CheckBindings(requested, slots, host, stage, name, &ranges);
  return ranges;
}

void CheckBindings(const RequestedBindings& requested, const std::vector<TensorSlot>& slots, const DeviceHost* host,
                   BindingStage stage, const char* name, std::vector<BufferRange>* ranges) {
  if (requested.size() != slots.size()) {
    throw Failure("ERR_INVALID_BINDING", std::string(name) + ": the operator has " + std::to_string(slots.size()) +
                                             " binding points, given " + std::to_string(requested.size()));
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    const TensorSlot& slot = slots[i];
    const RequestedBinding& binding = requested[i];
    const bool wanted = slot.present && slot.owned_by_dml == (stage == BindingStage::Initialization);
    if (binding.buffer == nullptr) {
      if (wanted) Reject(slot, "nothing is bound");
      ranges->emplace_back();
      continue;
    }
    if (!wanted) {
      Reject(slot, slot.present ? "a tensor that DirectML owns is bound at initialization and only then"
                                : "bound, though the descriptor leaves this tensor out");
    }
    const std::shared_ptr<Resource> resource = CheckedResource(*binding.buffer, host, slot.field);
    const uint64_t offset = CheckedSize(binding.offset, "offset");
    const uint64_t size = CheckedSize(binding.size, "sizeInBytes");
    if (offset % DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT != 0) {
      Reject(slot, "the offset must be a multiple of 16, given " + std::to_string(offset));
    }
    // DirectML counts a tensor's size in whole 32-bit words, and a buffer's capacity is a multiple of them.
    if (size > resource->capacity || offset > resource->capacity - size) {
      Reject(slot, "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                       " do not lie within a buffer of " + std::to_string(binding.buffer->size()) + " bytes");
    }
    const uint64_t bound = std::min(RoundUp(size, 4), resource->capacity - offset);
    if (bound < slot.required_bytes || bound == 0) {
      Reject(slot, "the tensor needs " + std::to_string(slot.required_bytes) + " bytes, given " + std::to_string(size));
    }
    ranges->push_back({resource, offset, bound});
  }
}

uint64_t CheckedSize(double number, const char* name) {
  if (number >= 0 && number <= 9007199254740991.0 && std::trunc(number) == number) {
    return static_cast<uint64_t>(number);
  }
  throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected an integer from 0 to 2^53 - 1").Field(name);
}

std::shared_ptr<Resource> CheckedResource(const BufferObject& buffer, const DeviceHost* host,
                                          const std::string& field) {
  if (buffer.host().get() != host) {
    throw Failure("ERR_WRONG_DEVICE", field + ": the buffer belongs to another device").Field(field);
  }
  if (!buffer.resource()) throw Failure("ERR_DISPOSED", field + ": the buffer has been disposed").Field(field);
  return buffer.resource();
}

}  // namespace ndml
