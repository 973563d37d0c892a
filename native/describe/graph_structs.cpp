#include "describe/graph_structs.h"

namespace ndml {

namespace {

template <typename Edge>
std::vector<DML_GRAPH_EDGE_DESC> EdgesTo(const std::vector<Edge>& edges, DML_GRAPH_EDGE_TYPE type) {
  std::vector<DML_GRAPH_EDGE_DESC> descs;
  descs.reserve(edges.size());
  for (const Edge& edge : edges) descs.push_back({type, &edge});
  return descs;
}

}  // namespace

DML_GRAPH_DESC GraphStructs::Describe() {
  for (const uint32_t node : graph_.nodes) operator_nodes_.push_back({operators[node].Get(), nullptr});
  for (const DML_OPERATOR_GRAPH_NODE_DESC& node : operator_nodes_) {
    nodes_.push_back({DML_GRAPH_NODE_TYPE_OPERATOR, &node});
  }
  for (const GraphInputEdge& edge : graph_.input_edges) {
    inputs_.push_back({edge.graph_input, edge.node, edge.node_input, nullptr});
  }
  for (const GraphOutputEdge& edge : graph_.output_edges) {
    outputs_.push_back({edge.node, edge.node_output, edge.graph_output, nullptr});
  }
  for (const GraphIntermediateEdge& edge : graph_.intermediate_edges) {
    intermediates_.push_back({edge.from_node, edge.from_output, edge.to_node, edge.to_input, nullptr});
  }
  input_edges_ = EdgesTo(inputs_, DML_GRAPH_EDGE_TYPE_INPUT);
  output_edges_ = EdgesTo(outputs_, DML_GRAPH_EDGE_TYPE_OUTPUT);
  intermediate_edges_ = EdgesTo(intermediates_, DML_GRAPH_EDGE_TYPE_INTERMEDIATE);
  DML_GRAPH_DESC desc = {};
  desc.InputCount = static_cast<UINT>(graph_.inputs.size());
  desc.OutputCount = static_cast<UINT>(graph_.outputs.size());
  desc.NodeCount = static_cast<UINT>(nodes_.size());
  desc.Nodes = nodes_.data();
  desc.InputEdgeCount = static_cast<UINT>(input_edges_.size());
  desc.InputEdges = input_edges_.data();
  desc.OutputEdgeCount = static_cast<UINT>(output_edges_.size());
  desc.OutputEdges = output_edges_.data();
  desc.IntermediateEdgeCount = static_cast<UINT>(intermediate_edges_.size());
  desc.IntermediateEdges = intermediate_edges_.data();
  return desc;
}

}  // namespace ndml
