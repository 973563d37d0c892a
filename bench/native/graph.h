/** The measured graphs: chains of unary and binary operators in which each node reads one or two earlier values. */
#pragma once

#include <vector>

#include "gpu.h"

namespace bench {

/** A chain of `nodes` operators on 1,024 floats. Like DirectMLX, it creates an operator for each node. */
class Graph {
 public:
  Graph(Gpu& gpu, uint32_t nodes) : gpu_(gpu), nodes_(nodes) {}
  /** Creates the operators, compiles the graph, and creates its initializer. */
  void Compile();
  /** Initializes the compiled graph and binds its tensors. */
  void Prepare();
  /** Records `count` dispatches in one command list, submits it and waits. */
  void Run(unsigned count);
  /** Returns the result of a run, as 32-bit words. */
  std::vector<uint32_t> Result();

 private:
  Gpu& gpu_;
  uint32_t nodes_;
  ComPtr<IDMLCompiledOperator> graph_;
  ComPtr<IDMLOperatorInitializer> initializer_;
  ComPtr<ID3D12Resource> input_;
  ComPtr<ID3D12Resource> output_;
  ComPtr<ID3D12Resource> temporary_;
  ComPtr<ID3D12Resource> persistent_;
  ComPtr<ID3D12DescriptorHeap> heap_;
  ComPtr<IDMLBindingTable> table_;
};

}  // namespace bench
