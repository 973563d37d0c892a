#include "addon/device_object.h"

#include "addon/addon_state.h"
#include "addon/async_task.h"
#include "addon/graph_reader.h"
#include "addon/operator_object.h"
#include "addon/operator_reader.h"
#include "gpu/directml_library.h"

namespace ndml {

namespace {

Napi::Object InfoToJs(Napi::Env env, const GpuDevice& gpu) {
  const Napi::Object info = Napi::Object::New(env);
  info.Set("adapter", AdapterToJs(env, gpu.adapter));
  info.Set("directmlPath", gpu.directml_path);
  info.Set("directmlVersion", gpu.directml_version);
  info.Set("featureLevel", gpu.feature_level);
  const Napi::Array types = Napi::Array::New(env, gpu.tensor_data_types.size());
  for (size_t i = 0; i < gpu.tensor_data_types.size(); ++i) {
    types.Set(static_cast<uint32_t>(i), gpu.tensor_data_types[i]);
  }
  info.Set("tensorDataTypes", types);
  return info;
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

std::string ReadString(const Napi::Object& options, const char* name, bool required) {
  const Napi::Value value = options.Get(name);
  if (value.IsUndefined() && !required) return {};
  if (!value.IsString()) throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected a string").Field(name);
  return value.As<Napi::String>().Utf8Value();
}

void RequireAbsolutePath(const std::string& path, const char* name) {
  if (IsAbsolutePath(path)) return;
  throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected an absolute path without NUL characters")
      .Field(name);
}

double ReadNumber(const Napi::Value& value, const char* name) {
  if (!value.IsNumber()) throw Failure("ERR_INVALID_ARGUMENT", std::string(name) + ": expected a number").Field(name);
  return value.As<Napi::Number>().DoubleValue();
}

BufferObject& ReadBuffer(const Napi::Value& value) {
  BufferObject* buffer = BufferObject::From(value);
  if (buffer == nullptr) throw Failure("ERR_INVALID_ARGUMENT", "buffer: expected a NativeBuffer").Field("buffer");
  return *buffer;
}

DML_EXECUTION_FLAGS ReadExecutionFlags(const Napi::Value& value) {
  constexpr uint64_t kKnown = 7;
  const uint64_t flags = CheckedSize(ReadNumber(value, "executionFlags"), "executionFlags");
  if (flags > kKnown) throw Failure("ERR_INVALID_ARGUMENT", "executionFlags: unknown flag").Field("executionFlags");
  return static_cast<DML_EXECUTION_FLAGS>(flags);
}

OperatorObject& ReadOperator(const Napi::Value& value) {
  OperatorObject* op = OperatorObject::From(value);
  if (op == nullptr) throw Failure("ERR_INVALID_ARGUMENT", "operator: expected a NativeOperator").Field("operator");
  return *op;
}

void RequireCompiled(const OperatorObject& op, const DeviceHost* host) {
  if (op.host().get() != host) throw Failure("ERR_WRONG_DEVICE", "the operator belongs to another device");
  if (!op.compiled()) throw Failure("ERR_DISPOSED", "the operator has been disposed");
}

constexpr const char* kInitializationInputs = "initializationInputs";

/** Undefined stands for no bindings. */
RequestedBindings ReadInitializationInputs(const Napi::Value& value, size_t count) {
  return value.IsUndefined() ? RequestedBindings(count) : ReadBindings(value, kInitializationInputs);
}

void CheckRange(const BufferObject& buffer, uint64_t offset, uint64_t size) {
  if (size <= buffer.size() && offset <= buffer.size() - size) return;
  throw Failure("ERR_INVALID_ARGUMENT", "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                                            " do not lie within a buffer of " + std::to_string(buffer.size()) +
                                            " bytes")
      .Field("offset");
}

}  // namespace

Napi::Object AdapterToJs(Napi::Env env, const AdapterInfo& info) {
  const Napi::Object adapter = Napi::Object::New(env);
  const auto number = [&](uint64_t value) { return Napi::Number::New(env, static_cast<double>(value)); };
  adapter.Set("name", info.name);
  adapter.Set("luid", FormatLuid(info.luid));
  adapter.Set("vendorId", info.vendor_id);
  adapter.Set("deviceId", info.device_id);
  adapter.Set("dedicatedVideoMemory", number(info.dedicated_video_memory));
  adapter.Set("dedicatedSystemMemory", number(info.dedicated_system_memory));
  adapter.Set("sharedSystemMemory", number(info.shared_system_memory));
  adapter.Set("isSoftware", Napi::Boolean::New(env, info.is_software));
  const std::string level = FormatFeatureLevel(info.feature_level);
  adapter.Set("d3d12FeatureLevel", level.empty() ? env.Null() : Napi::String::New(env, level).As<Napi::Value>());
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
                            {"dispatch", Call<&DeviceObject::Dispatch>},
                            {"write", Call<&DeviceObject::Write>},
                            {"copy", Call<&DeviceObject::Copy>},
                            {"read", Call<&DeviceObject::Read>},
                            {"submit", Call<&DeviceObject::Submit>},
                            {"idle", Call<&DeviceObject::Idle>},
                            {"onLost", Call<&DeviceObject::OnLost>},
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
    const Napi::Value debug = object.Get("debug");
    if (!debug.IsUndefined() && !debug.IsBoolean()) {
      throw Failure("ERR_INVALID_ARGUMENT", "debug: expected a boolean").Field("debug");
    }
    options.debug = debug.IsBoolean() && debug.As<Napi::Boolean>().Value();
    return AsyncTask::Queue(std::make_unique<CreateDeviceTask>(info.Env(), std::move(options)),
                            "node-directml createDevice");
  });
}

DeviceObject::DeviceObject(const Napi::CallbackInfo& info)
    : NativeObject<DeviceObject>(info),
      host_(std::move(ConstructorArgument<std::shared_ptr<DeviceHost>>(info.Env()))) {}

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
  return BufferObject::Create(info.Env(), host_, size);
}

Napi::Value DeviceObject::CompileOperator(const Napi::CallbackInfo& info) {
  const auto desc = std::make_shared<const OperatorDesc>(ReadOperatorDesc(info[0]));
  const DML_EXECUTION_FLAGS flags = ReadExecutionFlags(info[1]);
  const RequestedBindings requested = ReadInitializationInputs(info[2], desc->inputs.size());
  const auto compile = [desc, flags](IDMLDevice* dml) { return ndml::Compile(dml, desc->dml, flags, true); };
  return StartCompile(info.Env(), {compile, desc->inputs, desc->outputs}, requested, "node-directml compileOperator");
}

Napi::Value DeviceObject::CompileGraph(const Napi::CallbackInfo& info) {
  const auto graph = std::make_shared<const GraphDesc>(ReadGraphDesc(info[0]));
  const DML_EXECUTION_FLAGS flags = ReadExecutionFlags(info[1]);
  const RequestedBindings requested = ReadInitializationInputs(info[2], graph->inputs.size());
  const auto compile = [graph, flags](IDMLDevice* dml) { return ndml::CompileGraph(dml, *graph, flags, true); };
  return StartCompile(info.Env(), {compile, graph->inputs, graph->outputs}, requested, "node-directml compileGraph");
}

Napi::Value DeviceObject::StartCompile(Napi::Env env, CompileTask::Source source, const RequestedBindings& requested,
                                       const char* name) {
  host_->RequireOpen();
  std::vector<BufferRange> inputs =
      CheckBindings(requested, source.inputs, host_.get(), BindingStage::Initialization, kInitializationInputs);
  return AsyncTask::Queue(std::make_unique<CompileTask>(env, Value(), host_, std::move(source), std::move(inputs)),
                          name);
}

Napi::Value DeviceObject::CheckGraph(const Napi::CallbackInfo& info) {
  const GraphDesc graph = ReadGraphDesc(info[0]);
  const DML_EXECUTION_FLAGS flags = ReadExecutionFlags(info[1]);
  host_->RequireOpen();
  host_->Run([&] { ndml::CompileGraph(host_->gpu().dml.Get(), graph, flags, false); });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Initialize(const Napi::CallbackInfo& info) {
  OperatorObject& op = ReadOperator(info[0]);
  const RequestedBindings requested = ReadInitializationInputs(info[1], op.inputs().size());
  // No script runs from here on, so nothing can be disposed in between.
  host_->RequireOpen();
  RequireCompiled(op, host_.get());
  const std::vector<BufferRange> inputs =
      CheckBindings(requested, op.inputs(), host_.get(), BindingStage::Initialization, kInitializationInputs);
  const ComPtr<IDMLOperatorInitializer> initializer =
      host_->Run([&] { return CreateInitializer(host_->gpu().dml.Get(), op.compiled()->dml.Get()); });
  host_->Reserve(BindingProperties(initializer.Get()));
  host_->Run([&] { host_->recorder().Initialize(op.compiled(), initializer, inputs); });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::CheckOperator(const Napi::CallbackInfo& info) {
  const OperatorDesc desc = ReadOperatorDesc(info[0]);
  const DML_EXECUTION_FLAGS flags = ReadExecutionFlags(info[1]);
  host_->RequireOpen();
  host_->Run([&] { ndml::Compile(host_->gpu().dml.Get(), desc.dml, flags, false); });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Dispatch(const Napi::CallbackInfo& info) {
  OperatorObject& op = ReadOperator(info[0]);
  const RequestedBindings inputs = ReadBindings(info[1], "inputs");
  const RequestedBindings outputs = ReadBindings(info[2], "outputs");
  // No script runs from here on, so nothing can be disposed in between.
  host_->RequireOpen();
  RequireCompiled(op, host_.get());
  const std::vector<BufferRange> input_ranges =
      CheckBindings(inputs, op.inputs(), host_.get(), BindingStage::Execution, "inputs");
  const std::vector<BufferRange> output_ranges =
      CheckBindings(outputs, op.outputs(), host_.get(), BindingStage::Execution, "outputs");
  host_->Reserve(op.compiled()->properties);
  host_->Run([&] { host_->recorder().Dispatch(op.compiled(), input_ranges, output_ranges); });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Write(const Napi::CallbackInfo& info) {
  const BufferObject& buffer = ReadBuffer(info[0]);
  const uint64_t offset = CheckedSize(ReadNumber(info[1], "offset"), "offset");
  if (!info[2].IsTypedArray() || info[2].As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    throw Failure("ERR_INVALID_ARGUMENT", "data: expected a Uint8Array").Field("data");
  }
  const Napi::Uint8Array data = info[2].As<Napi::Uint8Array>();
  if (data.ArrayBuffer().IsDetached()) {
    throw Failure("ERR_INVALID_ARGUMENT", "data: its memory has been transferred").Field("data");
  }
  host_->RequireOpen();
  const std::shared_ptr<Resource> resource = CheckedResource(buffer, host_.get(), "buffer");
  const size_t size = data.ByteLength();
  CheckRange(buffer, offset, size);
  const uint8_t* bytes = data.Data();
  if (size != 0 && bytes != nullptr) host_->Run([&] { host_->recorder().Upload(resource, offset, bytes, size); });
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
  CheckRange(source, source_offset, size);
  CheckRange(target, target_offset, size);
  if (from == to) throw Failure("ERR_INVALID_ARGUMENT", "target: expected another buffer").Field("target");
  if (size != 0) host_->Run([&] { host_->recorder().Copy(from, source_offset, to, target_offset, size); });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Read(const Napi::CallbackInfo& info) {
  const BufferObject& buffer = ReadBuffer(info[0]);
  const uint64_t offset = CheckedSize(ReadNumber(info[1], "offset"), "offset");
  const uint64_t size = CheckedSize(ReadNumber(info[2], "sizeInBytes"), "sizeInBytes");
  host_->RequireOpen();
  const std::shared_ptr<Resource> resource = CheckedResource(buffer, host_.get(), "buffer");
  CheckRange(buffer, offset, size);
  return host_->Read(resource, offset, size);
}

Napi::Value DeviceObject::Submit(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  host_->Run([&] { host_->recorder().Submit(); });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Idle(const Napi::CallbackInfo&) {
  host_->RequireOpen();
  return host_->Idle();
}

Napi::Value DeviceObject::OnLost(const Napi::CallbackInfo& info) {
  if (!info[0].IsFunction()) throw Failure("ERR_INVALID_ARGUMENT", "callback: expected a function");
  const Napi::Function callback = info[0].As<Napi::Function>();
  host_->SetLostCallback(callback);
  // A property of the device object keeps the callback alive, and both can be collected together.
  Value().DefineProperty(
      Napi::PropertyDescriptor::Value(AddonState::Of(info.Env()).lost_callback_key.Value(), callback,
                                      static_cast<napi_property_attributes>(napi_writable | napi_configurable)));
  return info.Env().Undefined();
}

Napi::Value DeviceObject::RemoveForTesting(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  host_->RemoveForTesting();
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Dispose(const Napi::CallbackInfo& info) {
  host_->Close();
  return info.Env().Undefined();
}

}  // namespace ndml
