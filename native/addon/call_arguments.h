/** Reads and checks the arguments of native methods. An invalid one throws ERR_INVALID_ARGUMENT with its name. */
#pragma once

#include <napi.h>

#include <string>

#include "addon/bindings.h"
#include "addon/buffer_object.h"
#include "addon/operator_object.h"

namespace ndml {

/** Returns an empty string for undefined, unless the property is required. */
std::string ReadString(const Napi::Object& options, const char* name, bool required);
void RequireAbsolutePath(const std::string& path, const char* name);
double ReadNumber(const Napi::Value& value, const char* name);
/** Throws for anything but a Uint8Array that is not detached. */
Napi::Uint8Array ReadBytes(const Napi::Value& value, const char* name);
BufferObject& ReadBuffer(const Napi::Value& value);
OperatorObject& ReadOperator(const Napi::Value& value);
/**
 * Reads the bindings of a dispatch of `op` from the next rows into `command`, which must be empty. Throws the errors of
 * RequireCompiled and of RangeRows. Runs no JavaScript.
 */
void ReadDispatch(const OperatorObject& op, RangeRows* rows, const DeviceHost* host, DispatchCommand* command);
DML_EXECUTION_FLAGS ReadExecutionFlags(const Napi::Value& value);
/** Throws ERR_WRONG_DEVICE or ERR_DISPOSED. */
void RequireCompiled(const OperatorObject& op, const DeviceHost* host);
void CheckRange(const BufferObject& buffer, uint64_t offset, uint64_t size);

}  // namespace ndml
