/**
 * The addon's `dispatch` and `dispatchProfiled`. They are functions, not methods of NativeDevice: Node-API takes longer to find the
 * native object of a receiver than to read all the numbers of a dispatch.
 */
#pragma once

#include <napi.h>

namespace ndml {

/** The data of both functions is the AddonState. */
Napi::Value Dispatch(const Napi::CallbackInfo& info);
Napi::Value DispatchProfiled(const Napi::CallbackInfo& info);

}  // namespace ndml
