/**
 * Binding tables and their descriptors. A dispatch with the same bindings as an earlier one reuses that table, in later
 * command lists too, and writes no descriptors: filling a table takes as long as recording a dispatch.
 *
 * All tables have their descriptors in one heap, one after the other. None is ever overwritten while the heap is used.
 * When the heap is full, it is replaced, and all tables are written again. Lists keep the heaps that they use alive.
 */
#pragma once

#include <memory>
#include <vector>

#include "gpu/descriptor_heap_pool.h"

namespace ndml {

/** The bindings of a dispatch. */
struct DispatchBindings {
  /** The ranges of present inputs and outputs, then of the temporary and the persistent resource. */
  std::vector<DML_BUFFER_BINDING> ranges;
  /** For each range the id of its resource, 0 for none. Two dispatches of an operator share a table if these are equal. */
  std::vector<uint64_t> resources;
  std::vector<DML_BINDING_DESC> inputs;
  std::vector<DML_BINDING_DESC> outputs;
  /** The buffer is null if there is none. */
  DML_BUFFER_BINDING temporary = {};
  DML_BUFFER_BINDING persistent = {};
};

class BindingTables {
 public:
  using Heaps = std::vector<std::shared_ptr<DescriptorHeap>>;

  BindingTables(ID3D12Device* device, IDMLDevice* dml, const std::shared_ptr<LiveCounters>& counters);

  /** Begins a new, empty list. */
  void Begin();
  /**
   * Returns a table with these bindings, and sets the heap of its descriptors on the list. Valid until the next call of
   * any method. Throws ERR_OUT_OF_MEMORY.
   */
  IDMLBindingTable* Bind(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable, UINT descriptor_count,
                         const DispatchBindings& bindings);
  /** Frees the tables of the dispatchable, which they keep alive. Lists that were recorded stay as they are. */
  void Forget(IDMLDispatchable* dispatchable);
  /** Returns the heaps that the list uses. Give them to `Release` when the GPU has finished the list. */
  Heaps TakeHeaps();
  void Release(Heaps heaps);
  /** Stops using the current heap: the tables of the next list are for that list alone. */
  void DropHeap();
  /** Frees the heaps unused since `before`, except for a reserve. */
  void Trim(Clock::time_point before);
  uint64_t IdleBytes() const;

 private:
  struct BoundTable {
    /** Null until the entry is first taken. */
    ComPtr<IDMLBindingTable> table;
    bool is_taken = false;
    /** Null if the entry is free, or was forgotten. */
    IDMLDispatchable* dispatchable = nullptr;
    std::vector<DML_BUFFER_BINDING> ranges;
    std::vector<uint64_t> resources;
  };

  /** Makes room for this many descriptors in the current heap, or takes a new heap; throws ERR_OUT_OF_MEMORY. */
  void Reserve(UINT descriptor_count);
  DML_BINDING_TABLE_DESC TakeDescriptors(IDMLDispatchable* dispatchable, UINT count);
  void SetHeap(ID3D12GraphicsCommandList* list);
  /** Returns the entry with these bindings, or else the free one for them. */
  BoundTable& Find(IDMLDispatchable* dispatchable, const DispatchBindings& bindings);
  static void Empty(BoundTable* bound);
  /** Frees the entries. */
  void FreeTables();

  ID3D12Device* device_;
  IDMLDevice* dml_;
  UINT descriptor_size_;
  DescriptorHeapPool heap_pool_;
  /** The heap of all tables. Null until first used. */
  std::shared_ptr<DescriptorHeap> heap_;
  /** How much of it was used when the last list began. */
  UINT used_before_ = 0;
  /** When a list last used it. */
  Clock::time_point heap_use_;
  /** The heaps of the list being recorded. The last one is set on it. */
  Heaps list_heaps_;
  /** A hash table with linear probing. Its size is a power of two. */
  std::vector<BoundTable> tables_;
  /** Those that are taken. */
  std::vector<BoundTable*> taken_tables_;
};

}  // namespace ndml
