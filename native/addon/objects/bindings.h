/**
 * Bindings from JavaScript. A wrong binding removes the DirectML device, so this code checks every rule again that lib/ has
 * already checked: count, presence, device, not disposed, alignment, range and size.
 */
#pragma once

#include <napi.h>

#include <vector>

#include "addon/objects/buffer_object.h"
#include "addon/objects/operator_object.h"
#include "describe/operator_desc.h"

namespace ndml {

/** At initialization only the tensors that DirectML owns are bound; at execution only the others. */
enum class BindingStage { Initialization, Execution };

/**
 * Bindings as rows of three numbers: the number of a buffer (0 for none), the offset, and the size, both in bytes. All rows
 * must be read before a script runs, because a script could transfer the array's memory.
 */
class RangeRows {
 public:
  /** No bindings. */
  explicit RangeRows(Napi::Env env);
  /** Throws ERR_INVALID_ARGUMENT unless the value is a Float64Array, ERR_INVALID_BINDING unless it has `count` rows. */
  RangeRows(const Napi::Value& value, size_t count);
  /**
   * The rows of a dispatch. They follow the number of an operator, to which `op` is set. Throws ERR_INVALID_ARGUMENT if there is no
   * such operator.
   */
  RangeRows(const Napi::Value& value, const AddonState& state, const OperatorObject** op);

  /**
   * Reads and checks the next rows, one per slot. Adds a range per row, without a resource if nothing is bound. Throws
   * ERR_INVALID_BINDING, ERR_WRONG_DEVICE, ERR_DISPOSED or ERR_INVALID_ARGUMENT. Runs no JavaScript.
   */
  void Read(const std::vector<TensorSlot>& slots, const DeviceHost* host, BindingStage stage,
            std::vector<BufferRange>* ranges);

  /** The buffer whose number comes next. Throws ERR_INVALID_ARGUMENT if it is no number of a buffer. */
  const BufferObject& ReadBuffer();
  /** The next number; 0 if there are no bindings. */
  double Next() { return numbers_ == nullptr ? 0 : *numbers_++; }

 private:
  /** Returns how many numbers the value has. Throws ERR_INVALID_ARGUMENT unless it is a Float64Array. */
  size_t Begin(const Napi::Value& value, const char* name);
  /** Throws ERR_INVALID_BINDING unless `length` is the length of `count` rows. */
  static void RequireRows(size_t length, size_t count);
  /** Null if the number is 0. Throws ERR_INVALID_ARGUMENT for an unknown one. */
  const BufferObject* Buffer(double number) const;

  const Numbered<BufferObject>& buffers_;
  /** Null if there are no bindings. Volatile, so that each is read once: another thread may be writing to shared memory. */
  const volatile double* numbers_ = nullptr;
};

/** Throws ERR_INVALID_ARGUMENT if the number is not an integer from 0 to 2^53 - 1. */
uint64_t CheckedSize(double number, const char* name);

/** Throws ERR_WRONG_DEVICE if the buffer belongs to another device, ERR_DISPOSED if it has been disposed. */
const std::shared_ptr<Resource>& CheckedResource(const BufferObject& buffer, const DeviceHost* host,
                                                 const std::string& field);

}  // namespace ndml
