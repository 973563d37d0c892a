/**
 * The marshaller: a JavaScript descriptor becomes an OperatorDesc, walking the operator table. It survives anything that
 * JavaScript can hand it (hostile getters, proxies, wrong types, huge counts): each property is read once, and what does
 * not fit throws ERR_INVALID_DESCRIPTOR with the path of the field. Whether a well-formed descriptor makes sense is
 * decided by lib/ before, and by DirectML after.
 */
#pragma once

#include <napi.h>

#include "describe/operator_desc.h"

namespace ndml {

OperatorDesc ReadOperatorDesc(const Napi::Value& value);

}  // namespace ndml
