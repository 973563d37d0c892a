/**
 * Records dispatches and copies into a batch, with the barriers they need (hazards.h) and what they bind
 * (binding_tables.h), and submits batches to the queue.
 *
 * Contract: one instance per device, used on the JavaScript thread. Work executes in the order in which it is recorded.
 * No method waits for the GPU (see waiting.h). The caller calls `TryOpen` before each command.
 * Everything that a batch uses (buffers, operators, staging memory, heaps) is kept alive until the GPU has passed its
 * fence value; then `Retire` releases it. The caller has checked all arguments; sizes are not checked again here.
 */
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/binding_tables.h"
#include "gpu/command_queue.h"
#include "gpu/hazards.h"
#include "gpu/pools.h"
#include "gpu/recording.h"
#include "gpu/timestamps.h"
#include "gpu/waiting.h"

namespace ndml {

/** A compiled operator, its binding properties and its persistent resource. */
struct CompiledOperator {
  ComPtr<IDMLCompiledOperator> dml;
  DML_BINDING_PROPERTIES properties = {};
  /** Null if the operator needs none. */
  std::shared_ptr<Resource> persistent;
};

/** Memory that is kept for later work, in bytes. */
struct IdleMemory {
  uint64_t temporary = 0;
  uint64_t descriptors = 0;
};

/** Bytes to write to a buffer, which must stay where they are until the upload is done. */
struct UploadRequest {
  std::shared_ptr<Resource> target;
  uint64_t offset = 0;
  const uint8_t* data = nullptr;
  uint64_t size = 0;
  /** The bytes that are copied already. */
  uint64_t done = 0;
};

/** Bytes to read from a buffer. */
struct ReadRequest {
  std::shared_ptr<Resource> source;
  uint64_t offset = 0;
  ReadTarget target;
  uint64_t size = 0;
  /** The bytes whose read is submitted already. */
  uint64_t done = 0;
  /** The fence value of the last part that is submitted. */
  uint64_t fence_value = 0;
};

class CommandRecorder {
 public:
  CommandRecorder(ComPtr<ID3D12Device> device, ComPtr<IDMLDevice> dml, CommandQueue* queue,
                  std::shared_ptr<LiveCounters> counters);
  ~CommandRecorder();
  CommandRecorder(const CommandRecorder&) = delete;
  CommandRecorder& operator=(const CommandRecorder&) = delete;

  /**
   * Begins a batch, unless one is open. With 128 batches unfinished, the next one begins when the oldest is finished, or
   * after waiting ten seconds for it.
   */
  WaitFor TryOpen(const Waited& waited);
  /**
   * Allocates the temporary resource of a dispatch; throws ERR_OUT_OF_MEMORY. The dispatch that follows directly may need
   * a descriptor heap. If there is no memory for that, it has recorded no more than barriers and the zero-fill of new
   * buffers.
   */
  void Reserve(const DML_BINDING_PROPERTIES& properties);
  void Dispatch(const DispatchCommand& command);
  /** Call before a recording is replayed. Copies data that its dispatches overwrite and that must be read later. */
  WaitFor TryCopyOverwritten(const Recording& recording, const Waited& waited);
  /**
   * Finds a list of the recording that the GPU is not executing, for `Replay`. Records one only if each of the recording's
   * lists is still being executed. With `kMaxListsPerRecording` lists in flight, one must finish, or ten seconds pass. All
   * earlier work must be submitted. If it throws, it has changed nothing, and may be called again. It may begin a batch
   * without `TryOpen`.
   */
  WaitFor TryPrepareReplay(Recording& recording, const Waited& waited, RecordedList** list);
  /** Executes the list of the recording, in a submission of its own. */
  void Replay(const std::shared_ptr<Recording>& recording, RecordedList& list);
  /** `inputs` is empty, or has one range per input of the operator. */
  void Initialize(const std::shared_ptr<CompiledOperator>& op, const ComPtr<IDMLOperatorInitializer>& initializer,
                  const std::vector<BufferRange>& inputs);
  /**
   * A command that is recorded later binds these ranges, and must read their current contents. If another command
   * overwrites one before that, the range is copied first, and then names the copy. This ends when the caller frees
   * the vector.
   */
  void ReadLater(const std::shared_ptr<std::vector<BufferRange>>& ranges) { later_reads_.push_back(ranges); }
  /**
   * Copies the bytes, in parts if they are many. Has to wait for a moment while the unfinished uploads would exceed
   * kMaxUploadBytes, and longer only while they would exceed kMaxLateUploadBytes; throws ERR_OUT_OF_MEMORY if the GPU
   * finishes nothing for ten seconds meanwhile. Calls `TryOpen` itself.
   */
  WaitFor TryUpload(UploadRequest* upload, const Waited& waited);
  /** Records a copy between two different buffers. */
  void Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset, const std::shared_ptr<Resource>& target,
            uint64_t target_offset, uint64_t size);
  /**
   * Records and submits a read, in parts if it is large. The waiter copies the bytes to the target, or leaves that to the
   * JavaScript thread. If it throws, the parts submitted before are still copied to the target. Calls `TryOpen` itself.
   */
  WaitFor TryReadback(ReadRequest* read, const Waited& waited);

  /**
   * Submits, and measures the GPU time of all that is recorded from now on. Returns false, and measures nothing, if the
   * queue has no timestamps. Throws if a profile is running.
   */
  bool StartProfile();
  /**
   * Like `Dispatch`, but also measures the dispatch separately. Returns its index in the profile. Throws if none is
   * running.
   */
  size_t DispatchProfiled(const DispatchCommand& command);
  /** Submits. The profile is complete when that work is finished and retired. Throws if none is running. */
  std::shared_ptr<const Profile> EndProfile();

  /** Keeps nothing for later dispatches of the operator. */
  void Forget(const CompiledOperator& op) { tables_.Forget(op.dml.Get()); }

  /** Submits the recorded work, if any. Returns the fence value of all work so far. */
  uint64_t Submit();
  /** Returns the resources of finished batches to the pools, and frees those unused for a second. */
  void Retire();
  /** If the GPU has nothing to do, makes the next batch begin faster. */
  void PrepareNext();
  /** Frees everything unused except for a small reserve. */
  void FreeUnused() { Trim(Clock::time_point::max()); }
  /** Drops the batch being recorded. */
  void Abandon();
  /** The memory that finished work no longer uses, by kind. */
  IdleMemory Idle();

 private:
  struct Batch {
    explicit Batch(CommandContext acquired) : context(std::move(acquired)), hazards(context.list.Get()) {}

    CommandContext context;
    /** Keeps the batch's buffers alive. */
    Hazards hazards;
    /** Empty unless a profile is running. */
    std::optional<ListStamps> stamps;
    /** The index of the next dispatch in the profile. Empty if it is not measured separately. */
    std::optional<size_t> profiled_dispatch;
    BindingTables::Heaps heaps;
    std::vector<UploadChunk> uploads;
    /** Keeps alive the objects that the batch uses besides buffers. */
    std::vector<std::shared_ptr<const void>> kept_alive;
    std::vector<ComPtr<IUnknown>> kept_alive_com;
    std::vector<ReadbackCopy> readbacks;
    uint64_t fence_value = 0;
    /** Total size of the upload chunks. */
    uint64_t upload_bytes = 0;
    /** Bytes used of the last, shared chunk. */
    uint64_t upload_used = 0;
    unsigned dispatches = 0;
    bool recorded = false;

    /** Call for each command that is not a dispatch. */
    void MarkCommand() {
      recorded = true;
      if (stamps) stamps->MarkCommand();
    }
  };

  /** A recording that the GPU may be executing. */
  struct RunningRecording {
    std::shared_ptr<Recording> recording;
    uint64_t fence_value = 0;
  };

  /** The last use of more than half of a resource's capacity. A resource used less than that counts as unused. */
  struct LastUse {
    /** Fence value of the batch that used it; 0 once that batch is known to be finished. */
    uint64_t fence_value = 0;
    /** When the batch was last seen unfinished, or first seen finished. */
    Clock::time_point time;
  };

  Batch& Open();
  RecordedList& RecordList(Recording& recording);
  /** The value of LastUse for a resource that the current batch uses, or else the next one to be opened. */
  LastUse UsedNow() const { return {queue_->last_submitted() + 1, Clock::now()}; }
  WaitFor TryUploadPart(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data, uint64_t size,
                        const Waited& waited);
  WaitFor TryAcquireUpload(uint64_t size, const Waited& waited, UploadChunk* chunk);
  /** How many bytes of uploads may be unfinished. */
  uint64_t UploadLimit() const;
  uint64_t UploadBytesInFlight() const { return in_flight_upload_bytes_ + (current_ ? current_->upload_bytes : 0); }
  /** Returns the ring for the next part of a read of `size` bytes. Its capacity may be smaller than `part_size`. */
  std::shared_ptr<ReadbackRing> RingFor(const ReadTarget& target, uint64_t size, uint64_t part_size);
  void ZeroFill(const std::shared_ptr<Resource>& resource);
  void CopyRegion(const std::shared_ptr<Resource>& source, uint64_t source_offset,
                  const std::shared_ptr<Resource>& target, uint64_t target_offset, uint64_t size);
  /** Call before recording a command that writes these ranges. Copies data that must be read later. */
  void CopyOverwritten(const std::vector<BufferRange>& written);
  /** Binds the temporary and the persistent resource too, and records the dispatch. */
  void RecordDispatch(IDMLDispatchable* dispatchable, const DML_BINDING_PROPERTIES& properties,
                      const std::shared_ptr<Resource>& persistent);
  /** Clears the bindings of the previous dispatch. `count` ranges can then be added without moving earlier ones. */
  void BeginBindings(size_t count);
  /** Adds the range to the bindings and its resource to the uses. Returns a pointer to the stored range. */
  const DML_BUFFER_BINDING* AddRange(const BufferRange& range, bool write);
  /** Adds a range without a resource. */
  void AddNone();
  const std::shared_ptr<Resource>& Temporary(uint64_t size);
  /** Submits, and drops a batch in which nothing is recorded. */
  void SubmitAll();
  /** Records a dispatch in a batch that has stamps. */
  void RecordWithStamps(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable, IDMLBindingTable* table);
  /** Submits a recording's list between stamps. All recorded work must be submitted. */
  void SubmitWithStamps(ID3D12GraphicsCommandList* list);
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
  struct Ring {
    /** Null until first used. When it is replaced by a larger one, it lives until its last part is copied. */
    std::shared_ptr<ReadbackRing> memory;
    LastUse use;
  };
  /** For reads that the waiter copies, and for those that the JavaScript thread copies: each releases parts in order. */
  std::array<Ring, 2> rings_;
  /**
   * Shared by all dispatches: they run one after the other, ordered by barriers within a batch and by the queue between
   * batches. Null until first used. When it is replaced by a larger one, it lives until its last batch is finished.
   */
  std::shared_ptr<Resource> temporary_;
  LastUse temporary_use_;
  /** Zeros to copy from; allocated when first needed. */
  UploadChunk zeros_;
  std::unique_ptr<Batch> current_;
  std::deque<Batch> in_flight_;
  /** In the order of their fence values. */
  std::deque<RunningRecording> running_recordings_;
  /** The arguments of `ReadLater` calls. */
  std::vector<std::weak_ptr<std::vector<BufferRange>>> later_reads_;
  /** Null unless a profile is running. */
  std::shared_ptr<Profile> profile_;
  uint64_t in_flight_upload_bytes_ = 0;
  /** The fence value of a batch for which uploads waited without success. */
  uint64_t late_batch_ = 0;
  /** False while a command list of a recording is recorded: that is not submitted. */
  bool submits_full_batches_ = true;
  // Scratch memory of the dispatch being recorded, reused to save allocations.
  std::vector<ResourceUse> uses_;
  DispatchBindings bindings_;
};

}  // namespace ndml
