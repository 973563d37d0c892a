/** The structs of a DML_GRAPH_DESC, which point to each other. */
#pragma once

#include <vector>

#include "describe/graph_desc.h"
#include "platform/com_ptr.h"

namespace ndml {

class GraphStructs {
 public:
  explicit GraphStructs(const GraphDesc& graph) : graph_(graph) { operators.reserve(graph.operators.size()); }

  /** Call it once. The result is valid while this object and the graph live. */
  DML_GRAPH_DESC Describe();

  /** One per element of `GraphDesc::operators`, in the same order. To be filled before `Describe` is called. */
  std::vector<ComPtr<IDMLOperator>> operators;

 private:
  const GraphDesc& graph_;
  std::vector<DML_OPERATOR_GRAPH_NODE_DESC> operator_nodes_;
  std::vector<DML_GRAPH_NODE_DESC> nodes_;
  std::vector<DML_INPUT_GRAPH_EDGE_DESC> inputs_;
  std::vector<DML_OUTPUT_GRAPH_EDGE_DESC> outputs_;
  std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediates_;
  std::vector<DML_GRAPH_EDGE_DESC> input_edges_;
  std::vector<DML_GRAPH_EDGE_DESC> output_edges_;
  std::vector<DML_GRAPH_EDGE_DESC> intermediate_edges_;
};

}  // namespace ndml
