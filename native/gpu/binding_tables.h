/**
 * Binding tables of one command list after the other, with the descriptors that they take up: a dispatch with the same
 * bindings as one of the latest needs no new descriptors.
 */
#pragma once

#include <array>
#include <vector>

#include "gpu/pools.h"

namespace ndml {

/** What a dispatch binds. */
struct DispatchBindings {
  /** Inputs and outputs without the absent ones, then the temporary and the persistent resource: what tells tables apart. */
  std::vector<DML_BUFFER_BINDING> ranges;
  std::vector<DML_BINDING_DESC> inputs;
  std::vector<DML_BINDING_DESC> outputs;
  /** Null buffers where there is none. */
  DML_BUFFER_BINDING temporary = {};
  DML_BUFFER_BINDING persistent = {};
};

class BindingTables {
 public:
  BindingTables(ID3D12Device* device, IDMLDevice* dml, const std::shared_ptr<LiveCounters>& counters);

  /** For a list that nothing is recorded in yet. */
  void Begin();
  /** Makes room for so many descriptors; throws ERR_OUT_OF_MEMORY. */
  void Reserve(UINT descriptor_count);
  /** A table that binds these, with its descriptors within reach of the list. Valid until the list is submitted. */
  IDMLBindingTable* Bind(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable, UINT descriptor_count,
                         const DispatchBindings& bindings);
  /** The heaps that the list uses, to be given back to `Release` when the GPU is done with it. */
  std::vector<DescriptorHeap> TakeHeaps();
  void Release(std::vector<DescriptorHeap> heaps);
  /** Frees what has lain unused since `before`, but for a reserve. */
  void Trim(Clock::time_point before) { heap_pool_.Trim(before); }

 private:
  struct BoundTable {
    ComPtr<IDMLBindingTable> table;
    /** Null when what it binds no longer counts. Kept alive by the batch. */
    IDMLDispatchable* dispatchable = nullptr;
    std::vector<DML_BUFFER_BINDING> ranges;
  };

  DML_BINDING_TABLE_DESC TakeDescriptors(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable, UINT count);
  void Forget();

  ID3D12Device* device_;
  IDMLDevice* dml_;
  UINT descriptor_size_;
  DescriptorHeapPool heap_pool_;
  /** Of the list being recorded; the last one is being filled. */
  std::vector<DescriptorHeap> heaps_;
  ID3D12DescriptorHeap* bound_heap_ = nullptr;
  std::array<BoundTable, 8> tables_;
  size_t next_table_ = 0;
};

}  // namespace ndml
