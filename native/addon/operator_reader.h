/**
 * The marshaller: converts a JavaScript descriptor to an OperatorDesc with the help of the operator table. It must
 * survive any input (hostile getters, proxies, wrong types, huge counts). Each property is read once; a value that does
 * not fit throws ERR_INVALID_DESCRIPTOR with the path of the field. The meaning of a well-formed descriptor is checked
 * by lib/ before, and by DirectML afterwards.
 */
#pragma once

#include <napi.h>

#include "addon/descriptor_values.h"
#include "describe/operator_desc.h"

namespace ndml {

/** `path` is where the descriptor is, for errors. */
OperatorDesc ReadOperatorDesc(const Napi::Value& value, const Path& path = {});

}  // namespace ndml
