/** JavaScript's NativeDevice, and `createDevice`, which opens the device off the JavaScript thread. */
#pragma once

#include <napi.h>

#include <memory>

#include "addon/device/compile_task.h"
#include "addon/device/device_commands.h"
#include "addon/host/device_allocation.h"
#include "addon/objects/bindings.h"
#include "addon/objects/call_arguments.h"
#include "addon/objects/native_object.h"

namespace ndml {

class DeviceObject final : public NativeObject<DeviceObject> {
 public:
  static constexpr napi_type_tag kTag = {0x4e44d14c0de71ce5, 0x83b6c2590fd17e4a};

  static Napi::Function Define(Napi::Env env);
  /** The addon's `createDevice`. */
  static Napi::Value CreateDevice(const Napi::CallbackInfo& info);

  explicit DeviceObject(const Napi::CallbackInfo& info);
  ~DeviceObject() override;

 private:
  Napi::Value CreateBuffer(const Napi::CallbackInfo& info);
  Napi::Value CompileOperator(const Napi::CallbackInfo& info);
  Napi::Value CheckOperator(const Napi::CallbackInfo& info);
  Napi::Value CompileGraph(const Napi::CallbackInfo& info);
  Napi::Value CheckGraph(const Napi::CallbackInfo& info);
  Napi::Value Initialize(const Napi::CallbackInfo& info);
  Napi::Value CreateRecording(const Napi::CallbackInfo& info);
  Napi::Value Replay(const Napi::CallbackInfo& info);
  Napi::Value Write(const Napi::CallbackInfo& info);
  Napi::Value Copy(const Napi::CallbackInfo& info);
  Napi::Value StartProfile(const Napi::CallbackInfo& info);
  Napi::Value EndProfile(const Napi::CallbackInfo& info);
  Napi::Value Read(const Napi::CallbackInfo& info);
  Napi::Value ReadInto(const Napi::CallbackInfo& info);
  Napi::Value External(const Napi::CallbackInfo& info);
  Napi::Value BufferExternal(const Napi::CallbackInfo& info);
  Napi::Value ImportBuffer(const Napi::CallbackInfo& info);
  Napi::Value ImportTexture(const Napi::CallbackInfo& info);
  Napi::Value ImportFence(const Napi::CallbackInfo& info);
  Napi::Value CopyTexture(const Napi::CallbackInfo& info);
  Napi::Value CreateFence(const Napi::CallbackInfo& info);
  Napi::Value WaitFor(const Napi::CallbackInfo& info);
  Napi::Value Signal(const Napi::CallbackInfo& info);
  Napi::Value Submit(const Napi::CallbackInfo& info);
  Napi::Value Idle(const Napi::CallbackInfo& info);
  Napi::Value Memory(const Napi::CallbackInfo& info);
  Napi::Value OnBudgetShrink(const Napi::CallbackInfo& info);
  Napi::Value OnLost(const Napi::CallbackInfo& info);
  Napi::Value LimitBudgetForTesting(const Napi::CallbackInfo& info);
  Napi::Value RemoveForTesting(const Napi::CallbackInfo& info);
  Napi::Value Dispose(const Napi::CallbackInfo& info);

  /** Keeps the callback alive as a property of this object, so that both can be collected together. */
  void KeepAlive(const Napi::Reference<Napi::Symbol>& key, const Napi::Function& callback);
  /** Starts a compilation. `rows` are the bindings of the inputs that DirectML owns. */
  Napi::Value StartCompile(Napi::Env env, CompileTask::Source source, RangeRows rows, const char* name);

  std::shared_ptr<DeviceHost> host_;
  DeviceCommands commands_;
};

/** Converts to the NativeAdapter of binding.d.ts. */
Napi::Object AdapterToJs(Napi::Env env, const AdapterInfo& info);

}  // namespace ndml
