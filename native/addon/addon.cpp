/** The addon's exports, which binding.d.ts declares. */
#include <napi.h>

#include "addon/addon_state.h"
#include "addon/array_buffer.h"
#include "addon/buffer_object.h"
#include "addon/device_object.h"
#include "addon/frame_object.h"
#include "addon/operator_object.h"
#include "describe/operator_table.h"
#include "gpu/orphans.h"

namespace ndml {

namespace {

Napi::Value ListAdapters(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&]() -> Napi::Value {
    const D3D12Library library = LoadD3D12();
    const DeviceLease lease = DeviceLease::Take(library, false);
    const std::vector<Adapter> adapters = EnumerateAdapters(library);
    const Napi::Array list = Napi::Array::New(info.Env(), adapters.size());
    for (size_t i = 0; i < adapters.size(); ++i) {
      AdapterInfo adapter = adapters[i].info;
      if (const ComPtr<ID3D12Device> device = CreateD3D12Device(library, adapters[i], nullptr)) {
        adapter.feature_level = HighestFeatureLevel(device.Get());
      }
      list.Set(static_cast<uint32_t>(i), AdapterToJs(info.Env(), adapter));
    }
    return list;
  });
}

Napi::Value GetLiveObjects(const Napi::CallbackInfo& info) {
  const LiveCounters& counters = *AddonState::Of(info.Env()).counters;
  const Napi::Object live = Napi::Object::New(info.Env());
  const auto set = [&](const char* name, int64_t value) {
    live.Set(name, Napi::Number::New(info.Env(), static_cast<double>(value)));
  };
  set("devices", counters.devices);
  set("buffers", counters.buffers);
  set("operators", counters.operators);
  set("frames", counters.frames);
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
  const Napi::Array rows = Napi::Array::New(env, table.count);
  for (size_t i = 0; i < table.count; ++i) {
    const OperatorRow& operator_row = table.rows[i];
    const Napi::Array fields = Napi::Array::New(env, operator_row.field_count);
    for (size_t j = 0; j < operator_row.field_count; ++j) {
      const Napi::Object field = Napi::Object::New(env);
      field.Set("name", operator_row.fields[j].name);
      field.Set("kind", FieldKindName(operator_row.fields[j].kind));
      fields.Set(static_cast<uint32_t>(j), field);
    }
    const Napi::Object row = Napi::Object::New(env);
    row.Set("type", static_cast<uint32_t>(operator_row.type));
    row.Set("name", operator_row.name);
    row.Set("fields", fields);
    rows.Set(static_cast<uint32_t>(i), row);
  }
  return rows;
}

}  // namespace

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  auto state = std::make_unique<AddonState>();
  state->device_class = Napi::Persistent(DeviceObject::Define(env));
  state->buffer_class = Napi::Persistent(BufferObject::Define(env));
  state->frame_class = Napi::Persistent(FrameObject::Define(env));
  state->operator_class = Napi::Persistent(OperatorObject::Define(env));
  state->array_buffer_constructor = FindArrayBufferConstructor(env);
  state->budget_callback_key = Napi::Reference<Napi::Symbol>::New(Napi::Symbol::New(env, "onBudgetShrink"), 1);
  state->lost_callback_key = Napi::Reference<Napi::Symbol>::New(Napi::Symbol::New(env, "onLost"), 1);
  env.SetInstanceData(state.release());
  exports.Set("listAdapters", Napi::Function::New<ListAdapters>(env, "listAdapters"));
  exports.Set("createDevice", Napi::Function::New<DeviceObject::CreateDevice>(env, "createDevice"));
  exports.Set("liveObjects", Napi::Function::New<GetLiveObjects>(env, "liveObjects"));
  exports.Set("orphanedDevices", Napi::Function::New<GetOrphanedDevices>(env, "orphanedDevices"));
  exports.Set("operatorTable", Napi::Function::New<GetOperatorTable>(env, "operatorTable"));
  return exports;
}

}  // namespace ndml

// NODE_API_MODULE declares functions with C linkage. MSVC refuses those in an unnamed namespace, so it is at global
// scope.
static Napi::Object InitAddon(Napi::Env env, Napi::Object exports) { return ndml::Init(env, exports); }

NODE_API_MODULE(node_directml, InitAddon)
