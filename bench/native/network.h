/** The measured network: many small operators, each with buffers of its own. */
#pragma once

#include <vector>

#include "gpu.h"

namespace bench {

/**
 * Layers of five operators: gemm, add, relu, multiply, tanh. Each operator writes a buffer of its own, which the next one
 * reads. Weights, biases and factors have their own buffers. Like an inference engine, it binds a table for each dispatch.
 */
class Network {
 public:
  Network(Gpu& gpu, unsigned layers);
  /** Records this many dispatches, pass after pass, in lists of 256, as the package does; submits each list, and waits. */
  void Run(unsigned dispatches);
  /** Returns the result of a whole pass, as 32-bit words. */
  std::vector<uint32_t> Result();

 private:
  struct Step {
    ComPtr<IDMLCompiledOperator> dml;
    DML_BINDING_PROPERTIES needs = {};
    /** The operator has the first `input_count` inputs. Those that it leaves out, like C of a gemm, have no buffer. */
    DML_BUFFER_BINDING inputs[3] = {};
    UINT input_count = 1;
    DML_BUFFER_BINDING output = {};
    /** Has no buffer if the operator needs none. */
    DML_BUFFER_BINDING persistent = {};
  };
  /** A command list and the descriptors of its dispatches. */
  struct Batch {
    Commands commands;
    ComPtr<ID3D12DescriptorHeap> heap;
  };

  void AddLayer(unsigned layer);
  void AddStep(const DML_OPERATOR_DESC& desc, UINT input_count, const DML_BUFFER_BINDING& second = {});
  /** Creates a buffer that lives as long as the network. */
  DML_BUFFER_BINDING CreateBuffer(uint64_t size);
  DML_BUFFER_BINDING CreateWeights(unsigned words, unsigned seed);
  void Initialize();
  Batch& BatchAt(size_t index);
  void Record(Batch& batch, unsigned first, unsigned count);
  /** Makes the table use these descriptors of the heap. The first call creates the table. */
  void Reset(ID3D12DescriptorHeap* heap, UINT first_descriptor, IDMLDispatchable* dispatchable, UINT count);
  void Bind(const Step& step);
  void BindTemporary(uint64_t size);

  Gpu& gpu_;
  UINT descriptor_size_;
  std::vector<ComPtr<ID3D12Resource>> buffers_;
  DML_BUFFER_BINDING input_;
  std::vector<Step> steps_;
  /** Shared by all dispatches, which barriers order. Has no buffer if no operator needs one. */
  DML_BUFFER_BINDING temporary_ = {};
  std::vector<Batch> batches_;
  ComPtr<IDMLBindingTable> table_;
};

}  // namespace bench
