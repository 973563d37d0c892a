/**
 * Records dispatches and copies into a batch, with the barriers they need (hazards.h) and what they bind
 * (binding_tables.h), and submits batches to the queue.
 *
 * Contract: one instance per device, used on the JavaScript thread. Order of execution is order of recording. With
 * many batches unfinished, the next one is begun when the oldest is finished, or after a long wait for it.
 * Whatever a batch uses (buffers, operators, staging memory, heaps) is kept alive until its fence value is passed;
 * `Retire` gives it back. Arguments have been checked: nothing here looks at sizes again.
 */
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "gpu/binding_tables.h"
#include "gpu/command_queue.h"
#include "gpu/hazards.h"
#include "gpu/pools.h"

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
    explicit Batch(CommandContext acquired) : context(std::move(acquired)), hazards(context.list.Get()) {}

    CommandContext context;
    /** Keeps the buffers that it uses. */
    Hazards hazards;
    std::vector<DescriptorHeap> heaps;
    std::vector<UploadChunk> uploads;
    /** What it uses beside buffers. */
    std::vector<std::shared_ptr<const void>> kept_alive;
    std::vector<ComPtr<IUnknown>> kept_alive_com;
    std::vector<ReadbackCopy> readbacks;
    uint64_t fence_value = 0;
    /** Size of the chunks. */
    uint64_t upload_bytes = 0;
    uint64_t upload_used = 0;
    unsigned dispatches = 0;
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
  /** Adds what is bound beside inputs and outputs, and records the dispatch. */
  void RecordDispatch(IDMLDispatchable* dispatchable, const DML_BINDING_PROPERTIES& properties,
                      const std::shared_ptr<Resource>& persistent);
  /** Forgets what the dispatch before bound; there is room for `count` more ranges without moving them. */
  void BeginBindings(size_t count);
  /** Has the range bound and used; gives where it is kept. */
  const DML_BUFFER_BINDING* AddRange(const BufferRange& range, bool write);
  const std::shared_ptr<Resource>& Temporary(uint64_t size);
  void GiveBack(Batch batch);
  void Trim(Clock::time_point before);

  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<IDMLCommandRecorder> dml_recorder_;
  CommandQueue* queue_;
  std::shared_ptr<LiveCounters> counters_;
  BindingTables tables_;
  UploadPool upload_pool_;
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
  // Scratch for the dispatch being recorded, kept to spare allocations.
  std::vector<ResourceUse> uses_;
  DispatchBindings bindings_;
};

}  // namespace ndml
