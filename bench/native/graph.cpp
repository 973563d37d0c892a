#include "graph.h"

#include <algorithm>
#include <cstring>

#include "copy.h"

namespace bench {

using ndml::Iid;

namespace {

constexpr UINT kSide = 32;
constexpr uint64_t kBytes = uint64_t{4} * kSide * kSide;

}  // namespace

void Graph::Compile() {
  const UINT sizes[] = {1, 1, kSide, kSide};
  DML_BUFFER_TENSOR_DESC buffer = {};
  buffer.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
  buffer.DimensionCount = 4;
  buffer.Sizes = sizes;
  buffer.TotalTensorSizeInBytes = kBytes;
  const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
  const DML_ACTIVATION_RELU_OPERATOR_DESC relu = {&tensor, &tensor};
  const DML_ELEMENT_WISE_ADD1_OPERATOR_DESC add = {&tensor, &tensor, &tensor, nullptr};
  const DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC multiply = {&tensor, &tensor, &tensor};
  // The same operators as in data.mjs.
  const DML_OPERATOR_DESC descs[] = {{DML_OPERATOR_ACTIVATION_RELU, &relu},
                                     {DML_OPERATOR_ELEMENT_WISE_ADD1, &add},
                                     {DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &multiply}};

  std::vector<ComPtr<IDMLOperator>> operators(nodes_);
  std::vector<DML_OPERATOR_GRAPH_NODE_DESC> operator_nodes(nodes_);
  std::vector<DML_GRAPH_NODE_DESC> nodes(nodes_);
  std::vector<DML_INPUT_GRAPH_EDGE_DESC> inputs;
  std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediates;
  for (uint32_t i = 0; i < nodes_; ++i) {
    Check(gpu_.dml()->CreateOperator(&descs[i % 3], Iid<IDMLOperator>::value, operators[i].Put()),
          "IDMLDevice::CreateOperator");
    operator_nodes[i] = {operators[i].Get(), nullptr};
    nodes[i] = {DML_GRAPH_NODE_TYPE_OPERATOR, &operator_nodes[i]};
    // The first input is the previous value. The second is the one before it, or the graph's input.
    const auto connect = [&](uint32_t distance, UINT input) {
      if (distance == 0 || distance > i) {
        inputs.push_back({0, i, input, nullptr});
      } else {
        intermediates.push_back({i - distance, 0, i, input, nullptr});
      }
    };
    connect(1, 0);
    if (i % 3 == 1) connect(2, 1);
    if (i % 3 == 2) connect(0, 1);
  }
  const DML_OUTPUT_GRAPH_EDGE_DESC output = {nodes_ - 1, 0, 0, nullptr};
  const DML_GRAPH_EDGE_DESC output_edge = {DML_GRAPH_EDGE_TYPE_OUTPUT, &output};
  std::vector<DML_GRAPH_EDGE_DESC> input_edges;
  for (const DML_INPUT_GRAPH_EDGE_DESC& edge : inputs) input_edges.push_back({DML_GRAPH_EDGE_TYPE_INPUT, &edge});
  std::vector<DML_GRAPH_EDGE_DESC> intermediate_edges;
  for (const DML_INTERMEDIATE_GRAPH_EDGE_DESC& edge : intermediates) {
    intermediate_edges.push_back({DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &edge});
  }
  DML_GRAPH_DESC desc = {};
  desc.InputCount = 1;
  desc.OutputCount = 1;
  desc.NodeCount = nodes_;
  desc.Nodes = nodes.data();
  desc.InputEdgeCount = static_cast<UINT>(input_edges.size());
  desc.InputEdges = input_edges.data();
  desc.OutputEdgeCount = 1;
  desc.OutputEdges = &output_edge;
  desc.IntermediateEdgeCount = static_cast<UINT>(intermediate_edges.size());
  desc.IntermediateEdges = intermediate_edges.data();
  ComPtr<IDMLDevice1> device;
  Check(gpu_.dml()->QueryInterface(Iid<IDMLDevice1>::value, device.Put()), "IDMLDevice::QueryInterface");
  Check(device->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, Iid<IDMLCompiledOperator>::value, graph_.Put()),
        "IDMLDevice1::CompileGraph");
  IDMLCompiledOperator* const compiled[] = {graph_.Get()};
  Check(gpu_.dml()->CreateOperatorInitializer(1, compiled, Iid<IDMLOperatorInitializer>::value, initializer_.Put()),
        "IDMLDevice::CreateOperatorInitializer");
}

void Graph::Prepare() {
  std::vector<float> values(kBytes / 4);
  // The same data as in data.mjs.
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 61) / 64.0f - 0.25f;
  input_ = gpu_.CreateBuffer(kBytes, Memory::kDevice);
  output_ = gpu_.CreateBuffer(kBytes, Memory::kDevice);
  UploadWords(gpu_, input_.Get(), values.data(), kBytes);

  const DML_BINDING_PROPERTIES needs = ndml::BindingProperties(graph_.Get());
  const DML_BINDING_PROPERTIES initial = ndml::BindingProperties(initializer_.Get());
  const uint64_t temporary = std::max(needs.TemporaryResourceSize, initial.TemporaryResourceSize);
  if (temporary > 0) temporary_ = gpu_.CreateBuffer(temporary, Memory::kDevice);
  const uint64_t persistent = needs.PersistentResourceSize;
  if (persistent > 0) persistent_ = gpu_.CreateBuffer(persistent, Memory::kDevice);
  heap_ = gpu_.CreateDescriptorHeap(needs.RequiredDescriptorCount + initial.RequiredDescriptorCount);

  const DML_BUFFER_BINDING persistent_buffer = {persistent_.Get(), 0, persistent};
  const DML_BINDING_DESC persistent_binding = Bound(persistent_buffer);
  const ComPtr<IDMLBindingTable> initialization =
      gpu_.CreateBindingTable(initializer_.Get(), heap_.Get(), needs.RequiredDescriptorCount, temporary_.Get());
  if (persistent > 0) initialization->BindOutputs(1, &persistent_binding);
  table_ = gpu_.CreateBindingTable(graph_.Get(), heap_.Get(), 0, temporary_.Get());
  const DML_BUFFER_BINDING input = {input_.Get(), 0, kBytes};
  const DML_BUFFER_BINDING output = {output_.Get(), 0, kBytes};
  const DML_BINDING_DESC inputs[] = {Bound(input)};
  const DML_BINDING_DESC outputs[] = {Bound(output)};
  table_->BindInputs(1, inputs);
  table_->BindOutputs(1, outputs);
  if (persistent > 0) table_->BindPersistentResource(&persistent_binding);

  ID3D12GraphicsCommandList* const list = gpu_.Begin();
  ID3D12DescriptorHeap* const heaps[] = {heap_.Get()};
  list->SetDescriptorHeaps(1, heaps);
  gpu_.recorder()->RecordDispatch(list, initializer_.Get(), initialization.Get());
  gpu_.Finish();
}

void Graph::Run(unsigned count) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
  ID3D12GraphicsCommandList* const list = gpu_.Begin();
  ID3D12DescriptorHeap* const heaps[] = {heap_.Get()};
  list->SetDescriptorHeaps(1, heaps);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) list->ResourceBarrier(1, &barrier);
    gpu_.recorder()->RecordDispatch(list, graph_.Get(), table_.Get());
  }
  gpu_.Finish();
}

std::vector<uint32_t> Graph::Result() { return ReadWords(gpu_, output_.Get(), kBytes); }

}  // namespace bench
