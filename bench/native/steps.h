/** Compiled operators and graphs with their buffers, which are recorded one after the other. */
#pragma once

#include <vector>

#include "gpu.h"

namespace bench {

class Steps {
 public:
  /** In the order of the operator's inputs or outputs. Those that it leaves out have no buffer. */
  using Buffers = std::vector<DML_BUFFER_BINDING>;

  explicit Steps(Gpu& gpu) : gpu_(gpu) {}
  /** Compiles an operator. */
  void Add(const DML_OPERATOR_DESC& desc, Buffers inputs, Buffers outputs);
  void Add(ComPtr<IDMLCompiledOperator> dml, Buffers inputs, Buffers outputs);
  /** Initializes all steps, and binds a table for each. */
  void Prepare();
  /** Records all steps. Each waits for the one before it. */
  void Record(ID3D12GraphicsCommandList* list);

 private:
  struct Step {
    ComPtr<IDMLCompiledOperator> dml;
    Buffers inputs;
    Buffers outputs;
    ComPtr<IDMLBindingTable> table;
  };

  DML_BUFFER_BINDING CreateBuffer(uint64_t size);
  /** Uses the next descriptors of the heap, and the start of the temporary memory. */
  ComPtr<IDMLBindingTable> CreateTable(IDMLDispatchable* dispatchable);

  Gpu& gpu_;
  std::vector<Step> steps_;
  std::vector<ComPtr<ID3D12Resource>> buffers_;
  /** Shared by all steps, which barriers order. Has no buffer if none needs it. */
  DML_BUFFER_BINDING temporary_ = {};
  ComPtr<ID3D12DescriptorHeap> heap_;
  UINT used_descriptors_ = 0;
};

}  // namespace bench
