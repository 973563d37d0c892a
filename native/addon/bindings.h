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

/** A binding as JavaScript gave it, not yet checked. */
struct RequestedBinding {
  /** Null if nothing is bound. */
  BufferObject* buffer = nullptr;
  double offset = 0;
  double size = 0;
};

using RequestedBindings = std::vector<RequestedBinding>;

/**
 * Bindings as rows of numbers, which are read in one call: the number of a buffer, or 0 for none, the offset, and the size.
 */
class RangeRows {
 public:
  /**
   * Throws ERR_INVALID_ARGUMENT unless the value is a Float64Array, ERR_INVALID_BINDING unless it has `count` rows. They
   * must be read before a script runs, which could transfer the array's memory.
   */
  RangeRows(const Napi::Value& value, size_t count);

  /** Reads the next rows into a vector whose memory is reused. Throws ERR_INVALID_ARGUMENT for an unknown number. */
  void Read(size_t count, RequestedBindings* bindings);

 private:
  const NumberedBuffers& buffers_;
  const double* numbers_ = nullptr;
  size_t at_ = 0;
};

/** At initialization only the tensors that DirectML owns are bound; at execution only the others. */
enum class BindingStage { Initialization, Execution };

/**
 * Returns one range per slot, without a resource where nothing is bound. There is one binding per slot. Throws ERR_INVALID_BINDING, ERR_WRONG_DEVICE,
 * ERR_DISPOSED or ERR_INVALID_ARGUMENT. Runs no JavaScript.
 */
std::vector<BufferRange> CheckBindings(const RequestedBindings& requested, const std::vector<TensorSlot>& slots,
                                       const DeviceHost* host, BindingStage stage);
/** The same into an empty vector whose memory is reused. */
void CheckBindings(const RequestedBindings& requested, const std::vector<TensorSlot>& slots, const DeviceHost* host,
                   BindingStage stage, std::vector<BufferRange>* ranges);

/** Throws ERR_INVALID_ARGUMENT if the number is not an integer from 0 to 2^53 - 1. */
uint64_t CheckedSize(double number, const char* name);

/** Throws ERR_WRONG_DEVICE if the buffer belongs to another device, ERR_DISPOSED if it has been disposed. */
std::shared_ptr<Resource> CheckedResource(const BufferObject& buffer, const DeviceHost* host, const std::string& field);

}  // namespace ndml
