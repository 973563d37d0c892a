/**
 * Values of a descriptor from JavaScript, each checked as it is read: what does not fit throws ERR_INVALID_DESCRIPTOR with
 * the path of the field and what was expected.
 */
#pragma once

#include <napi.h>

#include <cstdint>
#include <string>

#include "platform/compat.h"

namespace ndml {

/** A path such as `fusedActivation.inputTensor.sizes[2]`, spelled out only when something is wrong. */
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
/** Infinite beyond the range of float, as JavaScript's Math.fround has it. */
FLOAT ReadFloat(const Napi::Value& value, const Path& path);
/** A number or a bigint. */
uint64_t ReadUInt64(const Napi::Value& value, const Path& path);
/** No function. */
Napi::Object ReadObject(const Napi::Value& value, const Path& path);
/** Of no more elements than any field of DirectML has. */
Napi::Array ReadArray(const Napi::Value& value, const Path& path, uint32_t* length);

}  // namespace ndml
