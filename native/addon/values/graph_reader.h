/**
 * Converts the NativeGraphDesc of binding.d.ts to a GraphDesc. Like operator_reader.h, it survives any input. It refuses
 * graphs with which DirectML would end the process or take too long: nodes of the type FILL_VALUE_SEQUENCE, counts beyond
 * the limits in graph_reader.cpp, and several edges to one graph output. DirectML itself refuses other wrong edges.
 */
#pragma once

#include <napi.h>

#include "describe/graph_desc.h"

namespace ndml {

GraphDesc ReadGraphDesc(const Napi::Value& value);

}  // namespace ndml
