/**
 * Converts the NativeGraphDesc of binding.d.ts to a GraphDesc. It survives any input, as operator_reader.h does. It
 * refuses what would end the process in DirectML: nodes of the type FILL_VALUE_SEQUENCE, and counts beyond the limits
 * below. DirectML itself refuses wrong edges.
 */
#pragma once

#include <napi.h>

#include "describe/graph_desc.h"

namespace ndml {

GraphDesc ReadGraphDesc(const Napi::Value& value);

}  // namespace ndml
