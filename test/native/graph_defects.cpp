/**
 * Compiles a graph with a node that the addon refuses, directly on DirectML:
 *   directml-graph-defects <graph> <path of DirectML.dll>
 * The graph `constant` adds a constant node of 12 bytes to the input, and `small-constant` one of 8 bytes. The output of
 * the graph `sequence` is that of a node of the type FILL_VALUE_SEQUENCE; in `read-sequence` another node is between them.
 * The program prints `compiling`, calls CompileGraph, and prints `compiled` or `refused`. If DirectML ends the process, it
 * prints nothing more, and the exit code is that of the exception.
 */
#include <iostream>
#include <string>
#include <vector>

#include "gpu/device/device.h"

namespace {

using ndml::ComPtr;
using ndml::Iid;

/** A packed tensor of FLOAT32 with one dimension. */
struct Tensor {
  explicit Tensor(UINT elements) : size(elements) {
    buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    buffer.DimensionCount = 1;
    buffer.Sizes = &size;
    buffer.TotalTensorSizeInBytes = UINT64{elements} * sizeof(float);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  UINT size;
  DML_BUFFER_TENSOR_DESC buffer = {};
  DML_TENSOR_DESC desc = {DML_TENSOR_TYPE_BUFFER, &buffer};
};

ComPtr<IDMLOperator> CreateOperator(IDMLDevice* device, DML_OPERATOR_TYPE type, const void* desc) {
  const DML_OPERATOR_DESC operator_desc = {type, desc};
  ComPtr<IDMLOperator> op;
  ndml::ThrowIfFailed(device->CreateOperator(&operator_desc, Iid<IDMLOperator>::value, op.Put()),
                      "IDMLDevice::CreateOperator");
  return op;
}

struct Graph {
  /** The first node's first output is the graph's only output. */
  std::vector<DML_GRAPH_NODE_DESC> nodes;
  std::vector<DML_INPUT_GRAPH_EDGE_DESC> inputs;
  std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediates;
};

template <typename Edge>
std::vector<DML_GRAPH_EDGE_DESC> EdgesTo(const std::vector<Edge>& edges, DML_GRAPH_EDGE_TYPE type) {
  std::vector<DML_GRAPH_EDGE_DESC> descs;
  for (const Edge& edge : edges) descs.push_back({type, &edge});
  return descs;
}

void Compile(IDMLDevice* device, const Graph& graph) {
  const ComPtr<IDMLDevice1> device1 = ComPtr<IDMLDevice>(device).As<IDMLDevice1>();
  if (!device1) throw ndml::Failure("ERR_DIRECTML_TOO_OLD", "this DirectML has no graphs");
  const std::vector<DML_GRAPH_EDGE_DESC> inputs = EdgesTo(graph.inputs, DML_GRAPH_EDGE_TYPE_INPUT);
  const std::vector<DML_GRAPH_EDGE_DESC> intermediates = EdgesTo(graph.intermediates, DML_GRAPH_EDGE_TYPE_INTERMEDIATE);
  const DML_OUTPUT_GRAPH_EDGE_DESC output = {};
  const DML_GRAPH_EDGE_DESC outputs[] = {{DML_GRAPH_EDGE_TYPE_OUTPUT, &output}};
  DML_GRAPH_DESC desc = {};
  desc.InputCount = static_cast<UINT>(inputs.size());
  desc.OutputCount = 1;
  desc.NodeCount = static_cast<UINT>(graph.nodes.size());
  desc.Nodes = graph.nodes.data();
  desc.InputEdgeCount = static_cast<UINT>(inputs.size());
  desc.InputEdges = inputs.data();
  desc.OutputEdgeCount = 1;
  desc.OutputEdges = outputs;
  desc.IntermediateEdgeCount = static_cast<UINT>(intermediates.size());
  desc.IntermediateEdges = intermediates.data();
  ComPtr<IDMLCompiledOperator> compiled;
  std::cout << "compiling" << std::endl;
  const HRESULT result =
      device1->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, Iid<IDMLCompiledOperator>::value, compiled.Put());
  std::cout << (SUCCEEDED(result) ? "compiled" : "refused") << std::endl;
}

void CompileConstant(IDMLDevice* device, UINT elements) {
  const Tensor tensor(elements);
  const DML_ELEMENT_WISE_ADD_OPERATOR_DESC desc = {&tensor.desc, &tensor.desc, &tensor.desc};
  const ComPtr<IDMLOperator> add = CreateOperator(device, DML_OPERATOR_ELEMENT_WISE_ADD, &desc);
  const DML_OPERATOR_GRAPH_NODE_DESC reader = {add.Get(), nullptr};
  const std::vector<float> data(elements, 1.0f);
  const DML_CONSTANT_DATA_GRAPH_NODE_DESC constant = {data.data(), data.size() * sizeof(float), nullptr};
  Compile(device, {{{DML_GRAPH_NODE_TYPE_OPERATOR, &reader}, {DML_GRAPH_NODE_TYPE_CONSTANT, &constant}},
                   {{0, 0, 0, nullptr}},
                   {{1, 0, 0, 1, nullptr}}});
}

void CompileSequence(IDMLDevice* device, bool with_reader) {
  const Tensor tensor(4);
  DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC desc = {};
  desc.OutputTensor = &tensor.desc;
  desc.ValueDataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  desc.ValueDelta.Float32 = 1.0f;
  const ComPtr<IDMLOperator> fill = CreateOperator(device, DML_OPERATOR_FILL_VALUE_SEQUENCE, &desc);
  const DML_OPERATOR_GRAPH_NODE_DESC sequence = {fill.Get(), nullptr};
  if (!with_reader) return Compile(device, {{{DML_GRAPH_NODE_TYPE_OPERATOR, &sequence}}, {}, {}});
  const DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC negate_desc = {&tensor.desc, &tensor.desc};
  const ComPtr<IDMLOperator> negate = CreateOperator(device, DML_OPERATOR_ELEMENT_WISE_NEGATE, &negate_desc);
  const DML_OPERATOR_GRAPH_NODE_DESC reader = {negate.Get(), nullptr};
  Compile(device, {{{DML_GRAPH_NODE_TYPE_OPERATOR, &reader}, {DML_GRAPH_NODE_TYPE_OPERATOR, &sequence}},
                   {},
                   {{1, 0, 0, 0, nullptr}}});
}

void Run(const std::string& graph, const std::string& directml_path) {
  ndml::DeviceOptions options;
  options.directml_path = directml_path;
  const ndml::GpuDevice device = ndml::OpenDevice(options);
  if (graph == "constant") return CompileConstant(device.dml.Get(), 3);
  if (graph == "small-constant") return CompileConstant(device.dml.Get(), 2);
  if (graph == "sequence") return CompileSequence(device.dml.Get(), false);
  if (graph == "read-sequence") return CompileSequence(device.dml.Get(), true);
  throw ndml::Failure("ERR_INVALID_ARGUMENT", "there is no graph " + graph);
}

/** Ends the process without a dialog. */
LONG WINAPI EndProcess(EXCEPTION_POINTERS*) { return EXCEPTION_EXECUTE_HANDLER; }

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "directml-graph-defects <graph> <path of DirectML.dll>" << std::endl;
    return 2;
  }
  ::SetUnhandledExceptionFilter(EndProcess);
  try {
    Run(arguments[1], arguments[2]);
    return 0;
  } catch (const ndml::Failure& failure) {
    std::cerr << failure.message() << std::endl;
    return 1;
  }
}
