#include "describe/operator_desc.h"

#include <cstring>

#include "platform/failure.h"

namespace ndml {

namespace {

/** Limit for a whole descriptor, because nested operators multiply its size. The longest array of tensors fits. */
constexpr size_t kMaxBytes = 16 * 1024 * 1024;

}  // namespace

void* OperatorDesc::AllocateBytes(size_t bytes) {
  const size_t units = (bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
  allocated_ += units * sizeof(std::max_align_t);
  if (allocated_ > kMaxBytes) throw Failure("ERR_INVALID_DESCRIPTOR", "the descriptor is too large");
  blocks_.push_back(std::make_unique<std::max_align_t[]>(units));
  // Zeroed, so that padding and unset fields never hold old bytes.
  std::memset(blocks_.back().get(), 0, units * sizeof(std::max_align_t));
  return blocks_.back().get();
}

}  // namespace ndml
