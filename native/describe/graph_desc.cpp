#include "describe/graph_desc.h"

#include <algorithm>

namespace ndml {

namespace {

/** Null if the node or the slot does not exist. */
const TensorSlot* SlotOf(const GraphDesc& graph, uint32_t node, uint32_t position,
                         std::vector<TensorSlot> OperatorDesc::* slots) {
  if (node >= graph.nodes.size()) return nullptr;
  const std::vector<TensorSlot>& list = graph.operators[graph.nodes[node]].*slots;
  return position < list.size() && list[position].present ? &list[position] : nullptr;
}

}  // namespace

void FillSlots(GraphDesc* graph) {
  for (const GraphInputEdge& edge : graph->input_edges) {
    const TensorSlot* reader = SlotOf(*graph, edge.node, edge.node_input, &OperatorDesc::inputs);
    if (reader == nullptr || edge.graph_input >= graph->inputs.size()) continue;
    TensorSlot& slot = graph->inputs[edge.graph_input];
    slot.present = true;
    slot.owned_by_dml = slot.owned_by_dml || reader->owned_by_dml;
    slot.required_bytes = std::max(slot.required_bytes, reader->required_bytes);
  }
  for (const GraphOutputEdge& edge : graph->output_edges) {
    const TensorSlot* writer = SlotOf(*graph, edge.node, edge.node_output, &OperatorDesc::outputs);
    if (writer == nullptr || edge.graph_output >= graph->outputs.size()) continue;
    TensorSlot& slot = graph->outputs[edge.graph_output];
    slot.present = true;
    slot.required_bytes = std::max(slot.required_bytes, writer->required_bytes);
  }
}

}  // namespace ndml
