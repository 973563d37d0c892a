#include "addon/device/device_object.h"

#include "addon/device/memory_report.h"
#include "addon/environment/addon_state.h"
#include "addon/environment/async_task.h"
#include "addon/objects/call_arguments.h"
#include "addon/objects/recording_object.h"
#include "addon/values/externals.h"
#include "addon/values/own_properties.h"

namespace ndml {

namespace {

constexpr uint32_t kMaxRecordingCommands = 64 * 1024;

Napi::Object InfoToJs(Napi::Env env, const GpuDevice& gpu) {
  const Napi::Object info = Napi::Object::New(env);
  DefineOwn(info, "adapter", AdapterToJs(env, gpu.adapter));
  DefineOwn(info, "directmlPath", gpu.directml_path);
  DefineOwn(info, "directmlVersion", gpu.directml_version);
  DefineOwn(info, "gpuTimeout", gpu.has_timeout);
  DefineOwn(info, "featureLevel", gpu.feature_level);
  const auto& types = gpu.tensor_data_types;
  DefineOwn(info, "tensorDataTypes", MakeArray(env, types.size(), [&](size_t i) { return types[i]; }));
  return info;
}

/** An option that may be absent. */
bool ReadFlag(const Napi::Object& options, const char* name, bool fallback) {
  const Napi::Value value = options.Get(name);
  if (value.IsUndefined()) return fallback;
  if (value.IsBoolean()) return value.As<Napi::Boolean>().Value();
  throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected a boolean").Field(name);
}

class CreateDeviceTask final : public AsyncTask {
 public:
  CreateDeviceTask(Napi::Env env, DeviceOptions options) : AsyncTask(env), options_(std::move(options)) {}

 protected:
  void Execute() override { gpu_ = OpenDevice(options_); }

  Napi::Value Complete() override {
    const Napi::Object info = InfoToJs(Env(), gpu_);
    std::shared_ptr<DeviceHost> host = DeviceHost::Create(Env(), std::move(gpu_));
    const Napi::Object object = Construct(Env(), AddonState::Of(Env()).device_class, &host);
    DefineReadOnly(object, "info", info);
    return object;
  }

 private:
  DeviceOptions options_;
  GpuDevice gpu_;
};

}  // namespace

Napi::Object AdapterToJs(Napi::Env env, const AdapterInfo& info) {
  const Napi::Object adapter = Napi::Object::New(env);
  const auto number = [&](uint64_t value) { return Napi::Number::New(env, static_cast<double>(value)); };
  DefineOwn(adapter, "name", info.name);
  DefineOwn(adapter, "luid", FormatLuid(info.luid));
  DefineOwn(adapter, "vendorId", info.vendor_id);
  DefineOwn(adapter, "deviceId", info.device_id);
  DefineOwn(adapter, "dedicatedVideoMemory", number(info.dedicated_video_memory));
  DefineOwn(adapter, "dedicatedSystemMemory", number(info.dedicated_system_memory));
  DefineOwn(adapter, "sharedSystemMemory", number(info.shared_system_memory));
  DefineOwn(adapter, "isSoftware", Napi::Boolean::New(env, info.is_software));
  const std::string level = FormatFeatureLevel(info.feature_level);
  DefineOwn(adapter, "d3d12FeatureLevel", level.empty() ? env.Null() : Napi::String::New(env, level).As<Napi::Value>());
  return adapter;
}

Napi::Function DeviceObject::Define(Napi::Env env) {
  return DefineWithMethods(env, "NativeDevice",
                           {{"createBuffer", Call<&DeviceObject::CreateBuffer>},
                            {"compileOperator", Call<&DeviceObject::CompileOperator>},
                            {"checkOperator", Call<&DeviceObject::CheckOperator>},
                            {"compileGraph", Call<&DeviceObject::CompileGraph>},
                            {"checkGraph", Call<&DeviceObject::CheckGraph>},
                            {"initialize", Call<&DeviceObject::Initialize>},
                            {"createRecording", Call<&DeviceObject::CreateRecording>},
                            {"replay", Call<&DeviceObject::Replay>},
                            {"write", Call<&DeviceObject::Write>},
                            {"copy", Call<&DeviceObject::Copy>},
                            {"read", Call<&DeviceObject::Read>},
                            {"readInto", Call<&DeviceObject::ReadInto>},
                            {"external", Call<&DeviceObject::External>},
                            {"bufferExternal", Call<&DeviceObject::BufferExternal>},
                            {"importBuffer", Call<&DeviceObject::ImportBuffer>},
                            {"importTexture", Call<&DeviceObject::ImportTexture>},
                            {"importFence", Call<&DeviceObject::ImportFence>},
                            {"createFence", Call<&DeviceObject::CreateFence>},
                            {"copyTexture", Call<&DeviceObject::CopyTexture>},
                            {"waitFor", Call<&DeviceObject::WaitFor>},
                            {"signal", Call<&DeviceObject::Signal>},
                            {"submit", Call<&DeviceObject::Submit>},
                            {"idle", Call<&DeviceObject::Idle>},
                            {"startProfile", Call<&DeviceObject::StartProfile>},
                            {"endProfile", Call<&DeviceObject::EndProfile>},
                            {"memory", Call<&DeviceObject::Memory>},
                            {"onBudgetShrink", Call<&DeviceObject::OnBudgetShrink>},
                            {"onLost", Call<&DeviceObject::OnLost>},
                            {"limitBudgetForTesting", Call<&DeviceObject::LimitBudgetForTesting>},
                            {"removeForTesting", Call<&DeviceObject::RemoveForTesting>},
                            {"dispose", Call<&DeviceObject::Dispose>}});
}

Napi::Value DeviceObject::CreateDevice(const Napi::CallbackInfo& info) {
  return Guard(info.Env(), [&]() -> Napi::Value {
    if (!info[0].IsObject()) throw Failure("ERR_INVALID_ARGUMENT", "options: expected an object");
    const Napi::Object object = info[0].As<Napi::Object>();
    DeviceOptions options;
    options.luid = ReadString(object, "luid", false);
    options.directml_path = ReadString(object, "directmlPath", false);
    options.addon_directory = ReadString(object, "addonDirectory", true);
    if (!options.directml_path.empty()) RequireAbsolutePath(options.directml_path, "directmlPath");
    RequireAbsolutePath(options.addon_directory, "addonDirectory");
    if (ReadFlag(object, "lowPower", false)) options.power_preference = PowerPreference::LowPower;
    options.has_timeout = ReadFlag(object, "gpuTimeout", true);
    options.debug = ReadFlag(object, "debug", false);
    const Napi::Value limit = object.Get("memoryLimit");
    if (!limit.IsUndefined()) options.memory_limit = CheckedSize(ReadNumber(limit, "memoryLimit"), "memoryLimit");
    const Napi::Value external = object.Get("external");
    if (!external.IsUndefined()) options.external = ReadComObject(external).object;
    return AsyncTask::Queue(std::make_unique<CreateDeviceTask>(info.Env(), std::move(options)),
                            "node-directml createDevice");
  });
}

DeviceObject::DeviceObject(const Napi::CallbackInfo& info)
    : NativeObject<DeviceObject>(info),
      host_(std::move(ConstructorArgument<std::shared_ptr<DeviceHost>>(info.Env()))),
      commands_(host_.get()) {}

DeviceObject::~DeviceObject() {
  if (!host_) return;
  try {
    host_->Close();
  } catch (...) {
    // A finalizer cannot report an error.
  }
}

Napi::Value DeviceObject::CreateBuffer(const Napi::CallbackInfo& info) {
  const uint64_t size = CheckedSize(ReadNumber(info[0], "sizeInBytes"), "sizeInBytes");
  if (size == 0) throw Failure("ERR_INVALID_ARGUMENT", "sizeInBytes: expected at least 1").Field("sizeInBytes");
  host_->RequireOpen();
  std::optional<std::wstring> name;
  if (!info[1].IsUndefined()) name = ReadName(info[1]);
  const Napi::Object buffer = BufferObject::Create(info.Env(), host_, size, name);
  if (name) commands_.Define(ReadBuffer(buffer).resource());
  return buffer;
}

Napi::Value DeviceObject::CreateRecording(const Napi::CallbackInfo& info) {
  if (!info[0].IsArray()) throw Failure("ERR_INVALID_ARGUMENT", "commands: expected an array").Field("commands");
  const Napi::Array array = info[0].As<Napi::Array>();
  const uint32_t count = array.Length();
  if (count > kMaxRecordingCommands) throw Failure("ERR_INVALID_ARGUMENT", "commands: too many").Field("commands");
  std::vector<std::variant<OperatorObject*, TextureObject*>> subjects;
  size_t row_count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Napi::Value value = array.Get(i);
    if (TextureObject* const texture = TextureObject::From(value)) {
      subjects.emplace_back(texture);
      row_count += kTextureCopyRows;
    } else {
      OperatorObject& op = ReadOperator(value);
      subjects.emplace_back(&op);
      row_count += op.inputs().size() + op.outputs().size();
    }
  }
  // No script runs from here on, so nothing can be disposed in between.
  RangeRows rows(info[1], row_count);
  host_->RequireOpen();
  auto recording = std::make_shared<Recording>();
  for (const auto& subject : subjects) {
    if (TextureObject* const* const texture = std::get_if<TextureObject*>(&subject)) {
      recording->commands.emplace_back(ReadTextureCopy(**texture, &rows, host_.get()));
    } else {
      DispatchCommand command;
      ReadDispatch(*std::get<OperatorObject*>(subject), &rows, host_.get(), &command);
      recording->commands.emplace_back(std::move(command));
    }
  }
  return RecordingObject::Create(info.Env(), {host_, std::move(recording)});
}

Napi::Value DeviceObject::Replay(const Napi::CallbackInfo& info) {
  const RecordingObject* const object = RecordingObject::From(info[0]);
  if (object == nullptr)
    throw Failure("ERR_INVALID_ARGUMENT", "recording: expected a NativeRecording").Field("recording");
  host_->RequireOpen();
  if (object->host() != host_) throw Failure("ERR_WRONG_DEVICE", "the recording belongs to another device");
  if (!object->recording()) throw Failure("ERR_DISPOSED", "the recording has been disposed");
  const std::shared_ptr<Recording> recording = object->recording();
  commands_.Replay(recording);
  return Napi::Number::New(info.Env(), static_cast<double>(recording->lists.size()));
}

Napi::Value DeviceObject::Write(const Napi::CallbackInfo& info) {
  const BufferObject& buffer = ReadBuffer(info[0]);
  const uint64_t offset = CheckedSize(ReadNumber(info[1], "offset"), "offset");
  const Napi::Uint8Array data = ReadBytes(info[2], "data");
  host_->RequireOpen();
  const std::shared_ptr<Resource> resource = CheckedResource(buffer, host_.get(), "buffer");
  const size_t size = data.ByteLength();
  const uint64_t start = CheckedStart(buffer, offset, size);
  const uint8_t* bytes = data.Data();
  if (size != 0 && bytes != nullptr) commands_.Upload(resource, start, bytes, size);
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Copy(const Napi::CallbackInfo& info) {
  const BufferObject& source = ReadBuffer(info[0]);
  const uint64_t source_offset = CheckedSize(ReadNumber(info[1], "sourceOffset"), "sourceOffset");
  const BufferObject& target = ReadBuffer(info[2]);
  const uint64_t target_offset = CheckedSize(ReadNumber(info[3], "targetOffset"), "targetOffset");
  const uint64_t size = CheckedSize(ReadNumber(info[4], "sizeInBytes"), "sizeInBytes");
  host_->RequireOpen();
  const std::shared_ptr<Resource> from = CheckedResource(source, host_.get(), "source");
  const std::shared_ptr<Resource> to = CheckedResource(target, host_.get(), "target");
  const uint64_t from_start = CheckedStart(source, source_offset, size);
  const uint64_t to_start = CheckedStart(target, target_offset, size);
  if (from == to) throw Failure("ERR_INVALID_ARGUMENT", "target: expected another buffer").Field("target");
  if (size != 0) commands_.Copy(from, from_start, to, to_start, size);
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Read(const Napi::CallbackInfo& info) {
  const BufferObject& buffer = ReadBuffer(info[0]);
  const uint64_t offset = CheckedSize(ReadNumber(info[1], "offset"), "offset");
  const uint64_t size = CheckedSize(ReadNumber(info[2], "sizeInBytes"), "sizeInBytes");
  host_->RequireOpen();
  const std::shared_ptr<Resource> resource = CheckedResource(buffer, host_.get(), "buffer");
  return commands_.Read(resource, CheckedStart(buffer, offset, size), size);
}

Napi::Value DeviceObject::ReadInto(const Napi::CallbackInfo& info) {
  const BufferObject& buffer = ReadBuffer(info[0]);
  const uint64_t offset = CheckedSize(ReadNumber(info[1], "offset"), "offset");
  const Napi::Uint8Array target = ReadBytes(info[2], "target");
  host_->RequireOpen();
  const std::shared_ptr<Resource> resource = CheckedResource(buffer, host_.get(), "buffer");
  return commands_.ReadInto(resource, CheckedStart(buffer, offset, target.ByteLength()), target);
}

Napi::Value DeviceObject::Submit(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  host_->Run([&] { host_->work().Submit(); });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Idle(const Napi::CallbackInfo&) {
  host_->RequireOpen();
  return commands_.Idle();
}

Napi::Value DeviceObject::OnLost(const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) throw Failure("ERR_INVALID_ARGUMENT", "callback: expected a function");
  const Napi::Function callback = info[0].As<Napi::Function>();
  host_->SetLostCallback(callback);
  KeepAlive(AddonState::Of(info.Env()).lost_callback_key, callback);
  return info.Env().Undefined();
}

Napi::Value DeviceObject::OnBudgetShrink(const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) throw Failure("ERR_INVALID_ARGUMENT", "callback: expected a function");
  const Napi::Function callback = info[0].As<Napi::Function>();
  host_->SetBudgetCallback(callback);
  KeepAlive(AddonState::Of(info.Env()).budget_callback_key, callback);
  return info.Env().Undefined();
}

void DeviceObject::KeepAlive(const Napi::Reference<Napi::Symbol>& key, const Napi::Function& callback) {
  Value().DefineProperty(Napi::PropertyDescriptor::Value(
      key.Value(), callback, static_cast<napi_property_attributes>(napi_writable | napi_configurable)));
}

Napi::Value DeviceObject::Memory(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  return MemoryToJs(info.Env(), *host_->counters(), host_->work().Idle(), host_->video_memory().Query());
}

Napi::Value DeviceObject::LimitBudgetForTesting(const Napi::CallbackInfo& info) {
  const uint64_t bytes = CheckedSize(ReadNumber(info[0], "bytes"), "bytes");
  host_->RequireOpen();
  host_->video_memory().LimitBudgetForTesting(bytes);
  return info.Env().Undefined();
}

Napi::Value DeviceObject::RemoveForTesting(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  RemoveDevice(host_->gpu());
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Dispose(const Napi::CallbackInfo& info) {
  host_->Close();
  return info.Env().Undefined();
}

}  // namespace ndml
