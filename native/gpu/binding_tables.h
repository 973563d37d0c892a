/**
 * The binding tables of the command list being recorded, and their descriptors. A dispatch with the same bindings as
 * an earlier one of the list reuses that table and needs no new descriptors: to fill a table takes as long as to record
 * a dispatch.
 */
#pragma once

#include <vector>

#include "gpu/pools.h"

namespace ndml {

/** The bindings of a dispatch. */
struct DispatchBindings {
  /**
   * The ranges of present inputs and outputs, then of the temporary and the persistent resource. Two dispatches of an
   * operator can share a table if these are equal.
   */
  std::vector<DML_BUFFER_BINDING> ranges;
  std::vector<DML_BINDING_DESC> inputs;
  std::vector<DML_BINDING_DESC> outputs;
  /** The buffer is null if there is none. */
  DML_BUFFER_BINDING temporary = {};
  DML_BUFFER_BINDING persistent = {};
};

class BindingTables {
 public:
  BindingTables(ID3D12Device* device, IDMLDevice* dml, const std::shared_ptr<LiveCounters>& counters);

  /** Begins a new, empty list. */
  void Begin();
  /** Makes room for this many descriptors in the current heap, or takes a new heap; throws ERR_OUT_OF_MEMORY. */
  void Reserve(UINT descriptor_count);
  /**
   * Returns a table with these bindings, and sets the heap of its descriptors on the list. Valid until the next call of
   * any method.
   */
  IDMLBindingTable* Bind(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable, UINT descriptor_count,
                         const DispatchBindings& bindings);
  /** Returns the heaps that the list uses. Give them to `Release` when the GPU has finished the list. */
  std::vector<DescriptorHeap> TakeHeaps();
  void Release(std::vector<DescriptorHeap> heaps);
  /** Frees the heaps unused since `before`, except for a reserve. */
  void Trim(Clock::time_point before) { heap_pool_.Trim(before); }
  uint64_t IdleBytes() const { return heap_pool_.IdleBytes(); }

 private:
  struct BoundTable {
    /** Null until the entry is first used. */
    ComPtr<IDMLBindingTable> table;
    /** Null if the entry is free. */
    IDMLDispatchable* dispatchable = nullptr;
    std::vector<DML_BUFFER_BINDING> ranges;
  };

  DML_BINDING_TABLE_DESC TakeDescriptors(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable, UINT count);
  /** Returns the entry with these bindings, or else the free one for them. */
  BoundTable& Find(IDMLDispatchable* dispatchable, const std::vector<DML_BUFFER_BINDING>& ranges);
  /** Frees the entries. A table would keep its operator alive. */
  void FreeTables();

  ID3D12Device* device_;
  IDMLDevice* dml_;
  UINT descriptor_size_;
  DescriptorHeapPool heap_pool_;
  /** The heaps of the list being recorded; the last one is being filled. */
  std::vector<DescriptorHeap> heaps_;
  ID3D12DescriptorHeap* bound_heap_ = nullptr;
  /** A hash table with linear probing. Its size is a power of two. */
  std::vector<BoundTable> tables_;
  std::vector<BoundTable*> used_tables_;
};

}  // namespace ndml
