/**
 * Binding tables and their descriptors. A dispatch with the same bindings as an earlier one reuses the earlier table, also
 * in later command lists, and writes no descriptors: filling a table takes as long as recording a dispatch.
 *
 * The descriptors of all tables lie in one heap, one table after the other. They are never overwritten while a list uses
 * the heap. When the heap is full, it is replaced, and each table is written again at its next use. Lists keep alive the
 * heaps that they use.
 */
#pragma once

#include <memory>
#include <vector>

#include "gpu/memory/descriptor_heap_pool.h"

namespace ndml {

/** The bindings of a dispatch. */
struct DispatchBindings {
  /** The ranges of present inputs and outputs, then of the temporary and the persistent resource. */
  std::vector<DML_BUFFER_BINDING> ranges;
  /** The id of each range's resource, 0 for none. Dispatches with equal operators, ids, offsets and sizes share a table. */
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
  /** Empties the dispatchable's tables, which would keep it alive. Recorded lists stay valid. */
  void Forget(IDMLDispatchable* dispatchable);
  /** Returns the heaps that the list uses. Give them to `Release` when the GPU has finished the list. */
  Heaps TakeHeaps();
  void Release(Heaps heaps);
  /** Stops using the current heap and its tables, so that nothing more is written to it. The next list gets another heap. */
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

  /** If the current heap lacks room for this many descriptors, takes another one; throws ERR_OUT_OF_MEMORY. */
  void Reserve(UINT descriptor_count);
  DML_BINDING_TABLE_DESC TakeDescriptors(IDMLDispatchable* dispatchable, UINT count);
  void SetHeap(ID3D12GraphicsCommandList* list);
  /** Returns the taken entry with these bindings, or else the free entry to use for them. */
  BoundTable& Find(IDMLDispatchable* dispatchable, const DispatchBindings& bindings);
  static void Empty(BoundTable* bound);
  /** Empties and frees all taken entries. */
  void FreeTables();

  ID3D12Device* device_;
  IDMLDevice* dml_;
  UINT descriptor_size_;
  DescriptorHeapPool heap_pool_;
  /** The heap of all tables. Null until first used. */
  std::shared_ptr<DescriptorHeap> heap_;
  /** The value of `heap_->used` when the last list began. */
  UINT used_before_ = 0;
  /** When a list last used `heap_`. */
  Clock::time_point heap_use_;
  /** The heaps of the list being recorded. The last one is set on the list. */
  Heaps list_heaps_;
  /** A hash table with linear probing. Its size is a power of two. */
  std::vector<BoundTable> tables_;
  /** The taken entries of `tables_`. */
  std::vector<BoundTable*> taken_tables_;
};

}  // namespace ndml
