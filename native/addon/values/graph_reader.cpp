#include "addon/values/graph_reader.h"

#include <algorithm>
#include <cstring>

#include "addon/values/descriptor_values.h"
#include "addon/values/operator_reader.h"
#include "platform/failure.h"

namespace ndml {

namespace {

/** Limit for the descriptors of all nodes together. */
constexpr size_t kMaxBytes = 256 * 1024 * 1024;
/** Limits per graph. With more, DirectML takes minutes; with far more, it ends the process. */
constexpr uint32_t kMaxBoundTensors = 64 * 1024;
constexpr size_t kMaxNodes = 64 * 1024;
constexpr size_t kMaxEdges = 1024 * 1024;

/** The names of the graph's inputs or outputs. Only error messages use them. */
std::vector<TensorSlot> ReadSlots(const Napi::Value& value, const Path& path) {
  uint32_t length = 0;
  const Napi::Array names = ReadArray(value, path, &length);
  if (length > kMaxBoundTensors) Reject(path, "at most " + std::to_string(kMaxBoundTensors) + " names");
  std::vector<TensorSlot> slots(length);
  for (uint32_t i = 0; i < length; ++i) {
    const Napi::HandleScope scope(names.Env());
    const Napi::Value name = names.Get(i);
    if (!name.IsString()) Reject(Path{&path, "", i}, "a string");
    slots[i].field = name.As<Napi::String>().Utf8Value();
  }
  return slots;
}

/** Reads rows of `sizeof(Row) / 4` numbers each. */
template <typename Row>
std::vector<Row> ReadRows(const Napi::Value& value, const Path& path, size_t max_rows) {
  constexpr size_t kNumbers = sizeof(Row) / sizeof(uint32_t);
  const std::string expected =
      "a Uint32Array of rows of " + std::to_string(kNumbers) + ", at most " + std::to_string(max_rows) + " rows";
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint32_array) {
    Reject(path, expected);
  }
  const Napi::Uint32Array numbers = value.As<Napi::Uint32Array>();
  const size_t length = numbers.ElementLength();
  if (length % kNumbers != 0 || length / kNumbers > max_rows) Reject(path, expected);
  std::vector<Row> rows(length / kNumbers);
  const uint32_t* data = numbers.Data();
  if (length > 0 && data != nullptr) std::memcpy(rows.data(), data, length * sizeof(uint32_t));
  return rows;
}

/**
 * Rejects several edges to one graph output. DirectML accepts them and uses the last one, but the time grows with the square
 * of their number: 60,000 edges take five seconds. Outputs out of range are left to DirectML, which refuses them.
 */
void RequireOneEdgePerOutput(const GraphDesc& graph, const Path& path) {
  std::vector<bool> has_edge(graph.outputs.size());
  for (const GraphOutputEdge& edge : graph.output_edges) {
    if (edge.graph_output >= has_edge.size()) continue;
    if (has_edge[edge.graph_output]) Reject(path, "at most one edge to each output of the graph");
    has_edge[edge.graph_output] = true;
  }
}

}  // namespace

GraphDesc ReadGraphDesc(const Napi::Value& value) {
  const Path root;
  const Napi::Object object = ReadObject(value, root);
  GraphDesc graph;
  const Path operators_path{&root, "operators"};
  uint32_t count = 0;
  const Napi::Array operators = ReadArray(object.Get("operators"), operators_path, &count);
  graph.operators.reserve(count);
  size_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const Napi::HandleScope scope(operators.Env());
    const Path path{&operators_path, "", i};
    OperatorDesc desc = ReadOperatorDesc(operators.Get(i), path);
    if (desc.dml.Type == DML_OPERATOR_FILL_VALUE_SEQUENCE) {
      Reject(Path{&path, "type"}, "another operator, because FILL_VALUE_SEQUENCE in a graph ends the process");
    }
    bytes += desc.allocated_bytes();
    if (bytes > kMaxBytes) Reject(operators_path, "descriptors of at most 256 MiB");
    graph.operators.push_back(std::move(desc));
  }
  const Path nodes_path{&root, "nodes"};
  graph.nodes = ReadRows<uint32_t>(object.Get("nodes"), nodes_path, kMaxNodes);
  if (std::any_of(graph.nodes.begin(), graph.nodes.end(), [count](uint32_t node) { return node >= count; })) {
    Reject(nodes_path, "indices of operators");
  }
  graph.input_edges = ReadRows<GraphInputEdge>(object.Get("inputEdges"), Path{&root, "inputEdges"}, kMaxEdges);
  graph.output_edges = ReadRows<GraphOutputEdge>(object.Get("outputEdges"), Path{&root, "outputEdges"}, kMaxEdges);
  graph.intermediate_edges =
      ReadRows<GraphIntermediateEdge>(object.Get("intermediateEdges"), Path{&root, "intermediateEdges"}, kMaxEdges);
  graph.inputs = ReadSlots(object.Get("inputs"), Path{&root, "inputs"});
  graph.outputs = ReadSlots(object.Get("outputs"), Path{&root, "outputs"});
  RequireOneEdgePerOutput(graph, Path{&root, "outputEdges"});
  FillSlots(&graph);
  return graph;
}

}  // namespace ndml
