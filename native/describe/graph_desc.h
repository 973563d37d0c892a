/**
 * The description of a graph: its operators, its edges, and the tensors that a dispatch binds. It has no constant nodes,
 * because DirectML.dll reads stray memory for constants of more than 8 bytes (docs/differences.md). A graph input that
 * DirectML owns serves instead.
 */
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "describe/operator_desc.h"

namespace ndml {

struct GraphInputEdge {
  uint32_t graph_input;
  uint32_t node;
  uint32_t node_input;
};

struct GraphOutputEdge {
  uint32_t node;
  uint32_t node_output;
  uint32_t graph_output;
};

struct GraphIntermediateEdge {
  uint32_t from_node;
  uint32_t from_output;
  uint32_t to_node;
  uint32_t to_input;
};

struct GraphDesc {
  std::vector<OperatorDesc> operators;
  /** For each node, the index of its operator. Equal nodes share one. */
  std::vector<uint32_t> nodes;
  std::vector<GraphInputEdge> input_edges;
  std::vector<GraphOutputEdge> output_edges;
  std::vector<GraphIntermediateEdge> intermediate_edges;
  /**
   * One slot per graph input and per graph output. A slot that no edge uses is not present: nothing may be bound to it. An
   * input that several nodes read needs the bytes of its largest reader.
   */
  std::vector<TensorSlot> inputs;
  std::vector<TensorSlot> outputs;
};

/** Fills in the slots of a graph from its edges. An edge that leads out of range has no effect; DirectML refuses it. */
void FillSlots(GraphDesc* graph);

}  // namespace ndml
