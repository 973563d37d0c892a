/**
 * Reads the values of a JavaScript descriptor and checks their types. A value that does not fit throws
 * ERR_INVALID_DESCRIPTOR with the path of the field and what was expected.
 */
#pragma once

#include <napi.h>

#include <cstdint>
#include <string>

#include "platform/compat.h"

namespace ndml {

/** A path such as `fusedActivation.inputTensor.sizes[2]`. Its text is built only for an error. */
struct Path {
  const Path* parent = nullptr;
  const char* name = "";
  int64_t index = -1;

  std::string Text() const;
};

[[noreturn]] void Reject(const Path& path, const std::string& expected);

inline bool IsNullish(const Napi::Value& value) { return value.IsNull() || value.IsUndefined(); }

UINT ReadUInt(const Napi::Value& value, const Path& path);
INT ReadInt(const Napi::Value& value, const Path& path);
/** Rounds to float32. Beyond its range the result is infinite, like JavaScript's Math.fround. */
FLOAT ReadFloat(const Napi::Value& value, const Path& path);
/** Accepts a number or a bigint. */
uint64_t ReadUInt64(const Napi::Value& value, const Path& path);
/** Rejects functions. */
Napi::Object ReadObject(const Napi::Value& value, const Path& path);
/** Rejects more than 65,536 elements, which is more than any field of DirectML takes. */
Napi::Array ReadArray(const Napi::Value& value, const Path& path, uint32_t* length);

}  // namespace ndml
