/**
 * Records dispatches and copies into a batch, with the barriers they need, and submits batches to the queue.
 *
 * Contract: one instance per device, used on the JavaScript thread. Order of execution is order of recording. With
 * many batches unfinished, the next one is begun when the oldest is finished, or after a long wait for it.
 * Whatever a batch uses (buffers, operators, staging memory, heaps) is kept alive until its fence value is passed;
 * `Retire` gives it back. Arguments have been checked: nothing here looks at sizes again.
 */
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "command_queue.h"
#include "pools.h"

namespace ndml {

struct BufferRange {
  std::shared_ptr<Resource> resource;
  uint64_t offset = 0;
  uint64_t size = 0;
};

/** A compiled operator with what each of its dispatches needs. */
struct CompiledOperator {
  ComPtr<IDMLCompiledOperator> dml;
  DML_BINDING_PROPERTIES properties = {};
  /** Null when it needs none. */
  std::shared_ptr<Resource> persistent;
};

class CommandRecorder {
 public:
  CommandRecorder(ComPtr<ID3D12Device> device, ComPtr<IDMLDevice> dml, CommandQueue* queue,
                  std::shared_ptr<LiveCounters> counters);
  ~CommandRecorder();
  CommandRecorder(const CommandRecorder&) = delete;
  CommandRecorder& operator=(const CommandRecorder&) = delete;

  /**
   * Allocates what a dispatch needs beside its tensors; throws ERR_OUT_OF_MEMORY. The dispatch right after it needs no
   * memory but that, so that it does not fail half recorded.
   */
  void Reserve(const DML_BINDING_PROPERTIES& properties);
  /** Ranges without a resource are bound as NONE. */
  void Dispatch(const std::shared_ptr<CompiledOperator>& op, const std::vector<BufferRange>& inputs,
                const std::vector<BufferRange>& outputs);
  /** `inputs` is empty, or has one range per input of the operator. */
  void Initialize(const std::shared_ptr<CompiledOperator>& op, const ComPtr<IDMLOperatorInitializer>& initializer,
                  const std::vector<BufferRange>& inputs);
  /**
   * Copies the bytes before it returns. Blocks only while more unfinished uploads than kUploadBytesInFlight wait for
   * the GPU, and throws when that finishes nothing for a long time.
   */
  void Upload(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data, uint64_t size);
  /**
   * Records and submits, in parts when it is large, and has the waiter copy the bytes to `target`; returns the fence
   * value of the last part. When it throws, parts that were submitted are still copied to `target`.
   */
  uint64_t Readback(const std::shared_ptr<Resource>& source, uint64_t offset, uint8_t* target, uint64_t size);

  /** Submits what was recorded, if anything. Returns the fence value of all work so far. */
  uint64_t Submit();
  /** Takes back what finished batches used, and frees what nobody has wanted for a while. */
  void Retire();
  /** Frees what nobody uses now, but for a small reserve. */
  void FreeUnused() { Trim(Clock::time_point::max()); }
  /** Drops the batch being recorded. */
  void Abandon();

 private:
  struct Batch {
    CommandContext context;
    std::vector<DescriptorHeap> heaps;
    std::vector<UploadChunk> uploads;
    std::vector<std::shared_ptr<const void>> kept_alive;
    std::vector<ComPtr<IUnknown>> kept_alive_com;
    std::vector<ReadbackCopy> readbacks;
    uint64_t fence_value = 0;
    /** Size of the chunks. */
    uint64_t upload_bytes = 0;
    uint64_t upload_used = 0;
    unsigned dispatches = 0;
    ID3D12DescriptorHeap* bound_heap = nullptr;
    bool recorded = false;
  };

  /** When more than half of something was last wanted. */
  struct LastUse {
    /** Of the batch that wanted it; 0 once that was seen to be finished. */
    uint64_t fence_value = 0;
    /** When it was last seen unfinished, or first seen finished. */
    Clock::time_point time;
  };

  Batch& Open();
  /** For what the batch being recorded, or the next one, uses. */
  LastUse UsedNow() const { return {queue_->last_submitted() + 1, Clock::now()}; }
  void UploadPart(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data, uint64_t size);
  UploadChunk AcquireUpload(uint64_t size);
  uint64_t UploadBytesInFlight() const { return in_flight_upload_bytes_ + (current_ ? current_->upload_bytes : 0); }
  /** False when the GPU has finished nothing for a long time. Throws when it is gone. */
  bool WaitForOldestBatch();
  /** The ring for the next part of a read of `size` bytes, which may have less room than that part. */
  std::shared_ptr<ReadbackRing> RingFor(uint64_t size, uint64_t part_size);
  void ZeroFill(const std::shared_ptr<Resource>& resource);
  void UseForCopy(const std::shared_ptr<Resource>& resource, D3D12_RESOURCE_STATES state, uint64_t begin,
                  uint64_t end);
  void Enter(const std::shared_ptr<Resource>& resource);
  void AddTransition(const Resource& resource, D3D12_RESOURCE_STATES after);
  void FlushBarriers();
  /** Brings everything in `uses_` into the unordered-access state, ordered after what it depends on. */
  void ApplyUses();
  void RecordDispatch(IDMLDispatchable* dispatchable, const DML_BINDING_PROPERTIES& properties,
                      const DML_BUFFER_BINDING* persistent);
  /** A table that binds what `ranges_` says; `is_new` when that is still to be done. */
  IDMLBindingTable* TableFor(IDMLDispatchable* dispatchable, UINT descriptor_count, bool* is_new);
  /** A heap of the batch with room for so many. */
  DescriptorHeap& HeapFor(UINT descriptor_count);
  DML_BINDING_TABLE_DESC TakeDescriptors(IDMLDispatchable* dispatchable, UINT descriptor_count);
  void ForgetBindings();
  const std::shared_ptr<Resource>& Temporary(uint64_t size);
  void GiveBack(Batch batch);
  void Trim(Clock::time_point before);

  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<IDMLCommandRecorder> dml_recorder_;
  CommandQueue* queue_;
  UINT descriptor_size_;

  std::shared_ptr<LiveCounters> counters_;
  UploadPool upload_pool_;
  DescriptorHeapPool heap_pool_;
  CommandContextPool context_pool_;
  /** Null until first used. A ring that was too small lives on until its last part is copied. */
  std::shared_ptr<ReadbackRing> ring_;
  LastUse ring_use_;
  /**
   * One for all dispatches: they run one after the other, ordered by barriers within a batch and by the queue between
   * batches. Null until first used; one that was too small lives on until its last batch is finished.
   */
  std::shared_ptr<Resource> temporary_;
  LastUse temporary_use_;
  /** Zeros to copy from; made when first needed. */
  UploadChunk zeros_;
  std::unique_ptr<Batch> current_;
  std::deque<Batch> in_flight_;
  uint64_t in_flight_upload_bytes_ = 0;
  uint64_t batch_id_ = 0;
  /** Raised by every global unordered-access barrier. */
  uint64_t epoch_ = 1;
  std::vector<D3D12_RESOURCE_BARRIER> barriers_;

  // Scratch for the dispatch being recorded, kept to spare allocations.
  struct Use {
    std::shared_ptr<Resource> resource;
    bool write;
  };
  std::vector<Use> uses_;
  /** Inputs and outputs without the absent ones, then the temporary and the persistent resource. */
  std::vector<DML_BUFFER_BINDING> ranges_;
  std::vector<DML_BINDING_DESC> input_descs_;
  std::vector<DML_BINDING_DESC> output_descs_;

  /** The latest bindings in the batch being recorded: a dispatch with the same ones need not write descriptors. */
  struct BoundTable {
    ComPtr<IDMLBindingTable> table;
    /** Null when what it binds no longer counts. Kept alive by the batch. */
    IDMLDispatchable* dispatchable = nullptr;
    std::vector<DML_BUFFER_BINDING> ranges;
  };
  std::array<BoundTable, 8> tables_;
  size_t next_table_ = 0;
};

}  // namespace ndml
