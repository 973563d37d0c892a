/** The methods of NativeDevice that compile, check and initialize operators and graphs. */
#include <algorithm>

#include "addon/device/device_object.h"
#include "addon/objects/call_arguments.h"
#include "addon/values/graph_reader.h"
#include "addon/values/operator_reader.h"
#include "describe/overwritten.h"

namespace ndml {

namespace {

/** Undefined stands for no bindings. */
RangeRows ReadInitializationInputs(const Napi::Value& value, size_t count) {
  return value.IsUndefined() ? RangeRows(value.Env()) : RangeRows(value, count);
}

}  // namespace

Napi::Value DeviceObject::CompileOperator(const Napi::CallbackInfo& info) {
  const auto desc = std::make_shared<const OperatorDesc>(ReadOperatorDesc(info[0]));
  const DML_EXECUTION_FLAGS flags = ReadExecutionFlags(info[1]);
  RangeRows rows = ReadInitializationInputs(info[2], desc->inputs.size());
  const auto compile = [desc, flags](IDMLDevice* dml) { return ndml::Compile(dml, desc->dml, flags, true); };
  return StartCompile(info.Env(), {compile, desc->inputs, desc->outputs, false, OverwrittenBytes(desc->dml)}, rows,
                      "node-directml compileOperator");
}

Napi::Value DeviceObject::CompileGraph(const Napi::CallbackInfo& info) {
  const auto graph = std::make_shared<const GraphDesc>(ReadGraphDesc(info[0]));
  const DML_EXECUTION_FLAGS flags = ReadExecutionFlags(info[1]);
  RangeRows rows = ReadInitializationInputs(info[2], graph->inputs.size());
  const auto compile = [graph, flags](IDMLDevice* dml) { return ndml::CompileGraph(dml, *graph, flags, true); };
  return StartCompile(info.Env(), {compile, graph->inputs, graph->outputs, true, {}}, rows,
                      "node-directml compileGraph");
}

Napi::Value DeviceObject::StartCompile(Napi::Env env, CompileTask::Source source, RangeRows rows, const char* name) {
  host_->RequireOpen();
  const auto inputs = std::make_shared<std::vector<BufferRange>>();
  rows.Read(source.inputs, host_.get(), BindingStage::Initialization, inputs.get());
  // The initialization is recorded only after the compilation, but must read the inputs as they are now.
  const bool has_inputs = std::any_of(inputs->begin(), inputs->end(), [](const auto& range) { return range.resource; });
  if (has_inputs) host_->work().later_reads().Add(inputs);
  return AsyncTask::Queue(std::make_unique<CompileTask>(env, Value(), host_, std::move(source), inputs), name);
}

Napi::Value DeviceObject::CheckOperator(const Napi::CallbackInfo& info) {
  const OperatorDesc desc = ReadOperatorDesc(info[0]);
  const DML_EXECUTION_FLAGS flags = ReadExecutionFlags(info[1]);
  host_->RequireOpen();
  host_->Run([&] { ndml::Compile(host_->gpu().dml.Get(), desc.dml, flags, false); });
  return info.Env().Undefined();
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
  RangeRows rows = ReadInitializationInputs(info[1], op.inputs().size());
  host_->RequireOpen();
  RequireCompiled(op, host_.get());
  std::vector<BufferRange> inputs;
  rows.Read(op.inputs(), host_.get(), BindingStage::Initialization, &inputs);
  const ComPtr<IDMLOperatorInitializer> initializer =
      host_->Run([&] { return CreateInitializer(host_->gpu().dml.Get(), op.compiled()->dml.Get()); });
  ReserveDispatch(*host_, BindingProperties(initializer.Get()));
  host_->Run([&] { host_->recorder().Initialize(op.compiled(), initializer, inputs); });
  return info.Env().Undefined();
}

}  // namespace ndml
