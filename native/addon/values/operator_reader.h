/**
 * The marshaller: converts a JavaScript descriptor to an OperatorDesc with the help of the operator table. It must
 * survive any input (hostile getters, proxies, wrong types, huge counts). Each property is read once; an
 * invalid value throws ERR_INVALID_DESCRIPTOR with the path of the field. What a well-formed descriptor means is checked
 * by lib/ beforehand and by DirectML afterwards.
 */
#pragma once

#include <napi.h>

#include "addon/values/descriptor_values.h"
#include "describe/operator_desc.h"

namespace ndml {

/** `path` is the descriptor's place in the argument, for error messages. */
OperatorDesc ReadOperatorDesc(const Napi::Value& value, const Path& path = {});

}  // namespace ndml
