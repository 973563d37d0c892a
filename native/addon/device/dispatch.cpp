#include "addon/device/dispatch.h"

#include <memory>

#include "addon/host/device_allocation.h"
#include "addon/objects/call_arguments.h"

namespace ndml {

namespace {

/** Reads the numbers of a dispatch, checks them, and calls `record` with the operator's device and the command. */
template <typename Record>
auto WithCommand(const Napi::CallbackInfo& info, Record&& record) {
  return Guard(info.Env(), [&] {
    AddonState& state = *static_cast<AddonState*>(info.Data());
    // No script runs in here, so nothing can be disposed in between.
    const OperatorObject* op = nullptr;
    RangeRows rows(info[0], state, &op);
    DeviceHost& host = *op->host();
    host.RequireOpen();
    // Empties the command at the end, even after an exception, because it keeps buffers alive.
    const std::unique_ptr<DispatchCommand, void (*)(DispatchCommand*)> command(&state.dispatch,
                                                                               [](DispatchCommand* used) {
                                                                                 used->op.reset();
                                                                                 used->inputs.clear();
                                                                                 used->outputs.clear();
                                                                               });
    ReadDispatch(*op, &rows, &host, command.get());
    ReserveDispatch(host, command->op->properties);
    return host.Run([&] { return record(host, *command); });
  });
}

}  // namespace

Napi::Value Dispatch(const Napi::CallbackInfo& info) {
  WithCommand(info, [](DeviceHost& host, const DispatchCommand& command) { host.recorder().Dispatch(command); });
  return {};
}

Napi::Value DispatchProfiled(const Napi::CallbackInfo& info) {
  const size_t index = WithCommand(
      info, [](DeviceHost& host, const DispatchCommand& command) { return host.work().profiler().Dispatch(command); });
  return Napi::Number::New(info.Env(), static_cast<double>(index));
}

}  // namespace ndml
