#include "graph_builder.h"

#include <utility>

namespace bench {

using ndml::Iid;

namespace {

template <typename Edge>
std::vector<DML_GRAPH_EDGE_DESC> EdgesTo(const std::vector<Edge>& edges, DML_GRAPH_EDGE_TYPE type) {
  std::vector<DML_GRAPH_EDGE_DESC> descs;
  for (const Edge& edge : edges) descs.push_back({type, &edge});
  return descs;
}

}  // namespace

ValueDesc::ValueDesc(const Value& value) {
  uint64_t elements = 1;
  for (size_t i = 0; i < value.sizes.size(); ++i) {
    if (value.strides.empty()) {
      elements *= value.sizes[i];
    } else {
      elements += uint64_t{value.sizes[i] - 1} * value.strides[i];
    }
  }
  buffer_.DataType = value.type;
  buffer_.DimensionCount = static_cast<UINT>(value.sizes.size());
  buffer_.Sizes = value.sizes.data();
  buffer_.Strides = value.strides.empty() ? nullptr : value.strides.data();
  // DirectML wants a multiple of 4.
  buffer_.TotalTensorSizeInBytes = value.type == DML_TENSOR_DATA_TYPE_UINT8 ? (elements + 3) / 4 * 4 : 4 * elements;
}

Value GraphBuilder::Input(const DML_BUFFER_BINDING& buffer, Sizes sizes, DML_TENSOR_DATA_TYPE type) {
  inputs_.push_back(buffer);
  return {type, std::move(sizes), {}, true, static_cast<UINT>(inputs_.size() - 1)};
}

void GraphBuilder::Output(const Value& value, const DML_BUFFER_BINDING& buffer) {
  output_edges_.push_back({value.index, 0, static_cast<UINT>(outputs_.size()), nullptr});
  outputs_.push_back(buffer);
}

void GraphBuilder::AddTo(Steps& steps) {
  std::vector<DML_OPERATOR_GRAPH_NODE_DESC> operator_nodes;
  for (const ComPtr<IDMLOperator>& node : operators_) operator_nodes.push_back({node.Get(), nullptr});
  std::vector<DML_GRAPH_NODE_DESC> nodes;
  for (const DML_OPERATOR_GRAPH_NODE_DESC& node : operator_nodes) {
    nodes.push_back({DML_GRAPH_NODE_TYPE_OPERATOR, &node});
  }
  const auto inputs = EdgesTo(input_edges_, DML_GRAPH_EDGE_TYPE_INPUT);
  const auto outputs = EdgesTo(output_edges_, DML_GRAPH_EDGE_TYPE_OUTPUT);
  const auto intermediates = EdgesTo(intermediate_edges_, DML_GRAPH_EDGE_TYPE_INTERMEDIATE);
  const auto count = [](const auto& list) { return static_cast<UINT>(list.size()); };
  const DML_GRAPH_DESC desc = {count(inputs_),       count(outputs_),     count(nodes),   nodes.data(),
                               count(inputs),        inputs.data(),       count(outputs), outputs.data(),
                               count(intermediates), intermediates.data()};
  ComPtr<IDMLDevice1> dml;
  Check(gpu_.dml()->QueryInterface(Iid<IDMLDevice1>::value, dml.Put()), "IDMLDevice::QueryInterface");
  ComPtr<IDMLCompiledOperator> compiled;
  Check(dml->CompileGraph(&desc, DML_EXECUTION_FLAG_NONE, Iid<IDMLCompiledOperator>::value, compiled.Put()),
        "IDMLDevice1::CompileGraph");
  steps.Add(std::move(compiled), inputs_, outputs_);
}

Value GraphBuilder::Add(const Value& a, const Value& b) {
  const Value output = {a.type, a.sizes};
  const ValueDesc first(a), second(b), result(output);
  const DML_ELEMENT_WISE_ADD_OPERATOR_DESC desc = {first.Get(), second.Get(), result.Get()};
  return Node(DML_OPERATOR_ELEMENT_WISE_ADD, &desc, {&a, &b}, output);
}

Value GraphBuilder::Multiply(const Value& a, const Value& b) {
  const Value output = {a.type, a.sizes};
  const ValueDesc first(a), second(b), result(output);
  const DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC desc = {first.Get(), second.Get(), result.Get()};
  return Node(DML_OPERATOR_ELEMENT_WISE_MULTIPLY, &desc, {&a, &b}, output);
}

Value GraphBuilder::Argmax(const Value& x) {
  const UINT axis = 1;
  const Value output = {DML_TENSOR_DATA_TYPE_UINT32, {x.sizes[0], 1}};
  const ValueDesc input(x), result(output);
  const DML_ARGMAX_OPERATOR_DESC desc = {input.Get(), result.Get(), 1, &axis, DML_AXIS_DIRECTION_INCREASING};
  return Node(DML_OPERATOR_ARGMAX, &desc, {&x}, output);
}

Value GraphBuilder::Cast(const Value& x, DML_TENSOR_DATA_TYPE type) {
  const Value output = {type, x.sizes};
  const ValueDesc input(x), result(output);
  const DML_CAST_OPERATOR_DESC desc = {input.Get(), result.Get()};
  return Node(DML_OPERATOR_CAST, &desc, {&x}, output);
}

Value GraphBuilder::Scale(const Value& x, float scale) {
  const Value output = {x.type, x.sizes};
  const ValueDesc input(x), result(output);
  const DML_SCALE_BIAS scale_bias = {scale, 0};
  const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC desc = {input.Get(), result.Get(), &scale_bias};
  return Node(DML_OPERATOR_ELEMENT_WISE_IDENTITY, &desc, {&x}, output);
}

Value GraphBuilder::Clip(const Value& x, float scale, float bias, float max) {
  const Value output = {x.type, x.sizes};
  const ValueDesc input(x), result(output);
  const DML_SCALE_BIAS scale_bias = {scale, bias};
  const DML_ELEMENT_WISE_CLIP_OPERATOR_DESC desc = {input.Get(), result.Get(), &scale_bias, 0, max};
  return Node(DML_OPERATOR_ELEMENT_WISE_CLIP, &desc, {&x}, output);
}

Value GraphBuilder::Channels(const Value& x, const Value& positions, Sizes strides) {
  const Value output = {x.type, {x.sizes[0], positions.sizes[3], x.sizes[2], x.sizes[3]}, std::move(strides)};
  const ValueDesc input(x), indices(positions), result(output);
  const DML_GATHER_OPERATOR_DESC desc = {input.Get(), indices.Get(), result.Get(), 1, 1};
  return Node(DML_OPERATOR_GATHER, &desc, {&x, &positions}, output);
}

Value GraphBuilder::Rows(const Value& table, const Value& indices) {
  const Value output = {table.type, {indices.sizes[1], table.sizes[1]}};
  const ValueDesc input(table), rows(indices), result(output);
  const DML_GATHER_OPERATOR_DESC desc = {input.Get(), rows.Get(), result.Get(), 0, 1};
  return Node(DML_OPERATOR_GATHER, &desc, {&table, &indices}, output);
}

Value GraphBuilder::RmsNorm(const Value& x, const Value& scale) {
  const UINT axis = 1;
  const Value output = {x.type, x.sizes};
  const ValueDesc input(x), factors(scale), result(output);
  const DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC desc = {
      input.Get(), factors.Get(), nullptr, result.Get(), 1, &axis, FALSE, TRUE, 1e-5f, nullptr};
  return Node(DML_OPERATOR_MEAN_VARIANCE_NORMALIZATION2, &desc, {&x, &scale, nullptr}, output);
}

Value GraphBuilder::Linear(const Value& x, const Value& matrix, const Value* c) {
  const Value output = {x.type, {x.sizes[0], matrix.sizes[0]}};
  const ValueDesc input(x), weights(matrix), result(output), added(c == nullptr ? output : *c);
  const DML_GEMM_OPERATOR_DESC desc = {input.Get(),
                                       weights.Get(),
                                       c == nullptr ? nullptr : added.Get(),
                                       result.Get(),
                                       DML_MATRIX_TRANSFORM_NONE,
                                       DML_MATRIX_TRANSFORM_TRANSPOSE,
                                       1,
                                       1,
                                       nullptr};
  return Node(DML_OPERATOR_GEMM, &desc, {&x, &matrix, c}, output);
}

Value GraphBuilder::SwapHalves(const Value& x) {
  const UINT offsets[] = {0, 0, 0, 0};
  const INT strides[] = {1, 1, -1, 1};
  const Value output = {x.type, x.sizes};
  const ValueDesc input(x), result(output);
  const DML_SLICE1_OPERATOR_DESC desc = {input.Get(), result.Get(), 4, offsets, x.sizes.data(), strides};
  return Node(DML_OPERATOR_SLICE1, &desc, {&x}, output);
}

Value GraphBuilder::Swish(const Value& x) {
  const Value output = {x.type, x.sizes};
  const ValueDesc input(x), result(output);
  const DML_ACTIVATION_SWISH_OPERATOR_DESC desc = {input.Get(), result.Get(), 1};
  return Node(DML_OPERATOR_ACTIVATION_SWISH, &desc, {&x}, output);
}

Value GraphBuilder::Node(DML_OPERATOR_TYPE type, const void* desc, std::initializer_list<const Value*> inputs,
                         Value output) {
  const DML_OPERATOR_DESC operator_desc = {type, desc};
  ComPtr<IDMLOperator> created;
  Check(gpu_.dml()->CreateOperator(&operator_desc, Iid<IDMLOperator>::value, created.Put()),
        "IDMLDevice::CreateOperator");
  output.index = static_cast<UINT>(operators_.size());
  operators_.push_back(std::move(created));
  UINT position = 0;
  for (const Value* const input : inputs) {
    if (input != nullptr && input->is_input) {
      input_edges_.push_back({input->index, output.index, position, nullptr});
    } else if (input != nullptr) {
      intermediate_edges_.push_back({input->index, 0, output.index, position, nullptr});
    }
    ++position;
  }
  return output;
}

}  // namespace bench
