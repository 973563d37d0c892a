/** Reads and checks the arguments of native methods. An invalid one throws ERR_INVALID_ARGUMENT with its name. */
#pragma once

#include <napi.h>

#include <string>

#include "addon/objects/bindings.h"
#include "addon/objects/buffer_object.h"
#include "addon/objects/operator_object.h"
#include "addon/objects/texture_object.h"

namespace ndml {

/** Returns an empty string for undefined, unless the property is required. */
std::string ReadString(const Napi::Object& options, const char* name, bool required);
void RequireAbsolutePath(const std::string& path, const char* name);
double ReadNumber(const Napi::Value& value, const char* name);
/** Throws for anything but a Uint8Array that is not detached. */
Napi::Uint8Array ReadBytes(const Napi::Value& value, const char* name);
/** Reads the name of a kernel object. It may be empty. */
std::wstring ReadName(const Napi::Value& value);
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
/** Returns where the range begins in the buffer's resource, in bytes. Throws if it does not lie within the buffer. */
uint64_t CheckedStart(const BufferObject& buffer, uint64_t offset, uint64_t size);

/** A copy of a texture has so many rows: [buffer, offset, row pitch], [x, y, 1 into the buffer or 0], [width, height, 0]. */
constexpr size_t kTextureCopyRows = 3;
TextureObject& ReadTexture(const Napi::Value& value);
/** Reads a copy from the next rows, and checks it. Runs no JavaScript. */
TextureCopy ReadTextureCopy(const TextureObject& texture, RangeRows* rows, const DeviceHost* host);

}  // namespace ndml
