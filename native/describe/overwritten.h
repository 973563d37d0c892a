/** Which outputs an operator overwrites whole, so that their memory need not be cleared before. */
#pragma once

#include <cstdint>
#include <vector>

#include "platform/compat.h"

namespace ndml {

/**
 * For each output, how many bytes from its start the operator certainly writes; 0 for one that is left out or has gaps. Empty for
 * operators that may leave elements as they are.
 */
std::vector<uint64_t> OverwrittenBytes(const DML_OPERATOR_DESC& desc);

}  // namespace ndml
