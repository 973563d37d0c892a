/**
 * Bindings from JavaScript. A wrong binding removes the DirectML device, so every rule is checked here again, although
 * lib/ has checked them before: count, presence, device, not disposed, alignment, range and size.
 */
#pragma once

#include <napi.h>

#include <vector>

#include "addon/buffer_object.h"
#include "describe/operator_desc.h"

namespace ndml {

/**
 * A binding as JavaScript gave it. It is checked only after all are read, because reading can run a script's getters.
 */
struct RequestedBinding {
  /** Null if nothing is bound. */
  BufferObject* buffer = nullptr;
  double offset = 0;
  double size = 0;
};

using RequestedBindings = std::vector<RequestedBinding>;

/** Returns the names of a binding's properties, for AddonState. To look a name up takes less time than to make it. */
Napi::ObjectReference MakeBindingKeys(Napi::Env env);

/** Throws ERR_INVALID_ARGUMENT if the value is not an array of bindings and nulls. `name` is used in the message. */
RequestedBindings ReadBindings(const Napi::Value& value, const char* name);
/** The same into a vector whose memory is reused. */
void ReadBindings(const Napi::Value& value, const char* name, RequestedBindings* bindings);

/** At initialization only the tensors that DirectML owns are bound; at execution only the others. */
enum class BindingStage { Initialization, Execution };

/**
 * Returns one range per slot, without a resource where nothing is bound. Throws ERR_INVALID_BINDING, ERR_WRONG_DEVICE,
 * ERR_DISPOSED or ERR_INVALID_ARGUMENT. Runs no JavaScript.
 */
std::vector<BufferRange> CheckBindings(const RequestedBindings& requested, const std::vector<TensorSlot>& slots,
                                       const DeviceHost* host, BindingStage stage, const char* name);
/** The same into an empty vector whose memory is reused. */
void CheckBindings(const RequestedBindings& requested, const std::vector<TensorSlot>& slots, const DeviceHost* host,
                   BindingStage stage, const char* name, std::vector<BufferRange>* ranges);

/** Throws ERR_INVALID_ARGUMENT if the number is not an integer from 0 to 2^53 - 1. */
uint64_t CheckedSize(double number, const char* name);

/** Throws ERR_WRONG_DEVICE if the buffer belongs to another device, ERR_DISPOSED if it has been disposed. */
std::shared_ptr<Resource> CheckedResource(const BufferObject& buffer, const DeviceHost* host, const std::string& field);

}  // namespace ndml
