/** The addon's exports, which binding.d.ts declares. */
#include <napi.h>

#include <memory>
#include <vector>

#include "addon/device/device_object.h"
#include "addon/device/dispatch.h"
#include "addon/environment/addon_state.h"
#include "addon/environment/async_task.h"
#include "addon/objects/buffer_object.h"
#include "addon/objects/fence_object.h"
#include "addon/objects/operator_object.h"
#include "addon/objects/recording_object.h"
#include "addon/objects/texture_object.h"
#include "addon/values/own_properties.h"
#include "describe/operator_table.h"
#include "gpu/work/orphans.h"

namespace ndml {

namespace {

/** Creates a device on each adapter to query its feature level, which loads the drivers. */
class ListAdaptersTask final : public AsyncTask {
 public:
  explicit ListAdaptersTask(Napi::Env env) : AsyncTask(env) {}

 protected:
  void Execute() override {
    const D3D12Library library = LoadD3D12();
    const DeviceLease lease = DeviceLease::Take(library, false);
    for (const Adapter& adapter : EnumerateAdapters(library)) {
      adapters_.push_back(adapter.info);
      if (const ComPtr<ID3D12Device> device = CreateD3D12Device(library, adapter, nullptr)) {
        adapters_.back().feature_level = HighestFeatureLevel(device.Get());
      }
    }
  }

  Napi::Value Complete() override {
    return MakeArray(Env(), adapters_.size(), [this](size_t i) { return AdapterToJs(Env(), adapters_[i]); });
  }

 private:
  std::vector<AdapterInfo> adapters_;
};

Napi::Value ListAdapters(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&]() -> Napi::Value {
    return AsyncTask::Queue(std::make_unique<ListAdaptersTask>(info.Env()), "node-directml listAdapters");
  });
}

Napi::Value GetLiveObjects(const Napi::CallbackInfo& info) {
  const LiveCounters& counters = *AddonState::Of(info.Env()).counters;
  const Napi::Object live = Napi::Object::New(info.Env());
  const auto set = [&](const char* name, int64_t value) { DefineOwn(live, name, static_cast<double>(value)); };
  set("devices", counters.devices);
  set("buffers", counters.buffers);
  set("operators", counters.operators);
  set("recordings", counters.recordings);
  set("textures", counters.textures);
  set("fences", counters.fences);
  set("bufferBytes", counters.buffer_bytes);
  set("persistentBytes", counters.persistent_bytes);
  set("pooledBytes", counters.staging_bytes + counters.temporary_bytes + counters.descriptor_bytes);
  set("stagingBytes", counters.staging_bytes);
  set("temporaryBytes", counters.temporary_bytes);
  set("descriptorBytes", counters.descriptor_bytes);
  set("bytesInFlight", counters.bytes_in_flight);
  return live;
}

Napi::Value GetOrphanedDevices(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(OrphanedDevices()));
}

Napi::Value GetOperatorTable(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const OperatorTable table = Operators();
  const auto field_to_js = [env](const FieldRow& row) {
    const Napi::Object field = Napi::Object::New(env);
    DefineOwn(field, "name", row.name);
    DefineOwn(field, "kind", FieldKindName(row.kind));
    return field;
  };
  const auto operator_to_js = [&](const OperatorRow& row) {
    const Napi::Object object = Napi::Object::New(env);
    DefineOwn(object, "type", static_cast<uint32_t>(row.type));
    DefineOwn(object, "name", row.name);
    DefineOwn(object, "fields", MakeArray(env, row.field_count, [&](size_t i) { return field_to_js(row.fields[i]); }));
    return object;
  };
  return MakeArray(env, table.count, [&](size_t i) { return operator_to_js(table.rows[i]); });
}

}  // namespace

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  auto state = std::make_unique<AddonState>();
  state->device_class = Napi::Persistent(DeviceObject::Define(env));
  state->buffer_class = Napi::Persistent(BufferObject::Define(env));
  state->recording_class = Napi::Persistent(RecordingObject::Define(env));
  state->texture_class = Napi::Persistent(TextureObject::Define(env));
  state->fence_class = Napi::Persistent(FenceObject::Define(env));
  state->operator_class = Napi::Persistent(OperatorObject::Define(env));
  state->budget_callback_key = Napi::Reference<Napi::Symbol>::New(Napi::Symbol::New(env, "onBudgetShrink"), 1);
  state->lost_callback_key = Napi::Reference<Napi::Symbol>::New(Napi::Symbol::New(env, "onLost"), 1);
  DefineOwn(exports, "dispatch", Napi::Function::New<Dispatch>(env, "dispatch", state.get()));
  DefineOwn(exports, "dispatchProfiled", Napi::Function::New<DispatchProfiled>(env, "dispatchProfiled", state.get()));
  env.SetInstanceData(state.release());
  DefineOwn(exports, "listAdapters", Napi::Function::New<ListAdapters>(env, "listAdapters"));
  DefineOwn(exports, "createDevice", Napi::Function::New<DeviceObject::CreateDevice>(env, "createDevice"));
  DefineOwn(exports, "liveObjects", Napi::Function::New<GetLiveObjects>(env, "liveObjects"));
  DefineOwn(exports, "orphanedDevices", Napi::Function::New<GetOrphanedDevices>(env, "orphanedDevices"));
  DefineOwn(exports, "operatorTable", Napi::Function::New<GetOperatorTable>(env, "operatorTable"));
  return exports;
}

}  // namespace ndml

// NODE_API_MODULE declares functions with C linkage. MSVC refuses those in an unnamed namespace, so it is at global
// scope.
static Napi::Object InitAddon(Napi::Env env, Napi::Object exports) { return ndml::Init(env, exports); }

NODE_API_MODULE(node_directml, InitAddon)
