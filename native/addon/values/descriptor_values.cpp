#include "addon/values/descriptor_values.h"

#include <cmath>
#include <limits>

#include "platform/failure.h"

namespace ndml {

namespace {

/** More than any array of DirectML has. The limit keeps a script from causing unbounded allocations. */
constexpr uint32_t kMaxArrayLength = 64 * 1024;

double ReadNumber(const Napi::Value& value, const Path& path, const char* expected) {
  if (!value.IsNumber()) Reject(path, expected);
  return value.As<Napi::Number>().DoubleValue();
}

template <typename Integer>
Integer ReadInteger(const Napi::Value& value, const Path& path, const char* expected) {
  const double number = ReadNumber(value, path, expected);
  if (!(number >= static_cast<double>(std::numeric_limits<Integer>::min())) ||
      !(number <= static_cast<double>(std::numeric_limits<Integer>::max())) || std::trunc(number) != number) {
    Reject(path, expected);
  }
  return static_cast<Integer>(number);
}

}  // namespace

std::string Path::Text() const {
  std::string text = parent != nullptr ? parent->Text() : std::string();
  if (index >= 0) return text + "[" + std::to_string(index) + "]";
  return text.empty() ? name : text + "." + name;
}

void Reject(const Path& path, const std::string& expected) {
  const std::string field = path.Text();
  throw Failure("ERR_INVALID_DESCRIPTOR", (field.empty() ? "descriptor" : field) + ": expected " + expected)
      .Field(field);
}

UINT ReadUInt(const Napi::Value& value, const Path& path) {
  return ReadInteger<UINT>(value, path, "an integer from 0 to 4294967295");
}

INT ReadInt(const Napi::Value& value, const Path& path) {
  return ReadInteger<INT>(value, path, "an integer from -2147483648 to 2147483647");
}

FLOAT ReadFloat(const Napi::Value& value, const Path& path) {
  const double number = ReadNumber(value, path, "a number");
  // C++ leaves the conversion of a double beyond float's range undefined; JavaScript's Math.fround gives infinity.
  if (std::isfinite(number) && std::fabs(number) > static_cast<double>(std::numeric_limits<FLOAT>::max())) {
    return std::copysign(std::numeric_limits<FLOAT>::infinity(), number < 0 ? -1.0f : 1.0f);
  }
  return static_cast<FLOAT>(number);
}

uint64_t ReadUInt64(const Napi::Value& value, const Path& path) {
  constexpr const char* kExpected = "an integer from 0 to 2^53 - 1, or a bigint from 0 to 2^64 - 1";
  if (value.IsBigInt()) {
    bool lossless = false;
    const uint64_t integer = value.As<Napi::BigInt>().Uint64Value(&lossless);
    if (!lossless) Reject(path, kExpected);
    return integer;
  }
  const double number = ReadNumber(value, path, kExpected);
  if (!(number >= 0) || !(number <= 9007199254740991.0) || std::trunc(number) != number) Reject(path, kExpected);
  return static_cast<uint64_t>(number);
}

Napi::Object ReadObject(const Napi::Value& value, const Path& path) {
  if (!value.IsObject() || value.IsFunction()) Reject(path, "an object");
  return value.As<Napi::Object>();
}

Napi::Array ReadArray(const Napi::Value& value, const Path& path, uint32_t* length) {
  if (!value.IsArray()) Reject(path, "an array");
  Napi::Array array = value.As<Napi::Array>();
  *length = array.Length();
  if (*length > kMaxArrayLength) Reject(path, "at most " + std::to_string(kMaxArrayLength) + " elements");
  return array;
}

}  // namespace ndml
