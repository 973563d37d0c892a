/** Builds graphs of the operators that the measured models and conversions have, in few words. */
#pragma once

#include <initializer_list>
#include <vector>

#include "gpu.h"
#include "steps.h"

namespace bench {

using Sizes = std::vector<UINT>;

/** A tensor of 32-bit or 8-bit elements: an input of the graph, or the output of a node. */
struct Value {
  DML_TENSOR_DATA_TYPE type = DML_TENSOR_DATA_TYPE_FLOAT32;
  Sizes sizes;
  /** Empty if the elements are packed. */
  Sizes strides = {};
  bool is_input = false;
  /** The index of the input or node. */
  UINT index = 0;

  /** The same elements with other sizes, and maybe with strides. */
  Value As(Sizes new_sizes, Sizes new_strides = {}) const { return {type, new_sizes, new_strides, is_input, index}; }
};

/** Describes a value, which must live as long as the description. */
class ValueDesc {
 public:
  explicit ValueDesc(const Value& value);
  ValueDesc(const ValueDesc&) = delete;
  ValueDesc& operator=(const ValueDesc&) = delete;
  const DML_TENSOR_DESC* Get() const { return &desc_; }

 private:
  DML_BUFFER_TENSOR_DESC buffer_ = {};
  DML_TENSOR_DESC desc_ = {DML_TENSOR_TYPE_BUFFER, &buffer_};
};

class GraphBuilder {
 public:
  explicit GraphBuilder(Gpu& gpu) : gpu_(gpu) {}

  Value Input(const DML_BUFFER_BINDING& buffer, Sizes sizes, DML_TENSOR_DATA_TYPE type = DML_TENSOR_DATA_TYPE_FLOAT32);
  void Output(const Value& value, const DML_BUFFER_BINDING& buffer);
  /** Compiles the graph, and adds it to the steps, with the buffers of its inputs and outputs. */
  void AddTo(Steps& steps);

  Value Add(const Value& a, const Value& b);
  Value Multiply(const Value& a, const Value& b);
  /** The row with the largest element: a uint32 for each row. */
  Value Argmax(const Value& x);
  Value Cast(const Value& x, DML_TENSOR_DATA_TYPE type);
  /** `x * scale` */
  Value Scale(const Value& x, float scale);
  /** `x * scale + bias`, limited to 0 to `max` */
  Value Clip(const Value& x, float scale, float bias, float max);
  /** Some of the channels, which are the second dimension. */
  Value Channels(const Value& x, const Value& positions, Sizes strides = {});
  /** Some rows of a table. */
  Value Rows(const Value& table, const Value& indices);
  Value RmsNorm(const Value& x, const Value& scale);
  /** The product with the transposed matrix, plus `c` if it is given. */
  Value Linear(const Value& x, const Value& matrix, const Value* c = nullptr);
  /** Reverses the third of four dimensions. */
  Value SwapHalves(const Value& x);
  Value Swish(const Value& x);

 private:
  /** Adds a node, and returns its output. A null input is one that the operator leaves out. */
  Value Node(DML_OPERATOR_TYPE type, const void* desc, std::initializer_list<const Value*> inputs, Value output);

  Gpu& gpu_;
  std::vector<ComPtr<IDMLOperator>> operators_;
  std::vector<DML_INPUT_GRAPH_EDGE_DESC> input_edges_;
  std::vector<DML_INTERMEDIATE_GRAPH_EDGE_DESC> intermediate_edges_;
  std::vector<DML_OUTPUT_GRAPH_EDGE_DESC> output_edges_;
  Steps::Buffers inputs_;
  Steps::Buffers outputs_;
};

}  // namespace bench
