/**
 * Bindings from JavaScript. A wrong one removes the DirectML device, so every rule is checked here, even though
 * lib/ has checked before: count, presence, device, liveness, alignment, range and size.
 */
#pragma once

#include <napi.h>

#include <optional>
#include <vector>

#include "addon/buffer_object.h"
#include "describe/operator_desc.h"

namespace ndml {

/** What JavaScript said. Nothing has been judged yet, because reading it can run a script's getters. */
struct RequestedBinding {
  BufferObject* buffer = nullptr;
  double offset = 0;
  double size = 0;
};

using RequestedBindings = std::vector<std::optional<RequestedBinding>>;

/** Throws ERR_INVALID_ARGUMENT unless the value is an array of bindings and nulls. `name` is for the message. */
RequestedBindings ReadBindings(const Napi::Value& value, const char* name);

/** Which tensors take a binding: all but those that DirectML owns, or only those. */
enum class BindingStage { Initialization, Execution };

/** Runs no JavaScript. */
std::vector<BufferRange> CheckBindings(const RequestedBindings& requested, const std::vector<TensorSlot>& slots,
                                       const DeviceHost* host, BindingStage stage, const char* name);

/** An integer from 0 to 2^53 - 1; anything else throws ERR_INVALID_ARGUMENT. */
uint64_t CheckedSize(double number, const char* name);

/** A live buffer of this device. */
std::shared_ptr<Resource> CheckedResource(const BufferObject& buffer, const DeviceHost* host, const std::string& field);

}  // namespace ndml
