/**
 * The batch that is being recorded, and the submitted batches that the GPU has not finished. Batches execute in the order
 * of their submission.
 *
 * Contract: call `TryOpen` before a command is recorded into the batch that `Open` returns. A batch keeps alive everything
 * that it uses until the GPU has passed its fence value; then `Retire` releases it to the pools.
 */
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "gpu/queue/batch.h"
#include "gpu/queue/command_queue.h"
#include "gpu/queue/waiting.h"
#include "gpu/record/recording.h"

namespace ndml {

class Batches {
 public:
  Batches(ID3D12Device* device, CommandQueue* queue, BindingTables* tables, UploadPool* upload_pool)
      : device_(device), queue_(queue), tables_(tables), upload_pool_(upload_pool), context_pool_(queue->list_type()) {}
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;

  /**
   * Begins a batch, unless one is open. With 128 unfinished batches, the next one begins once the oldest is finished, or
   * after ten seconds.
   */
  WaitFor TryOpen(const Waited& waited);
  /** Returns the open batch. If there is none, begins one, even if 128 batches are unfinished. */
  Batch& Open() { return open_ ? *open_ : Begin(); }
  /** Null if there is none. */
  Batch* open() { return open_ ? &*open_ : nullptr; }
  /** Submits the recorded work, if any. Returns the fence value of all work so far. */
  uint64_t Submit();
  /** Submits the recorded work, if any. An open batch without recorded work is dropped. */
  void SubmitAll();
  /** Drops the open batch. */
  void Abandon();

  /** Opens the list of a recording. No batch may be open. Then `CloseList` or `Abandon` ends it. */
  Batch& OpenList();
  RecordedList CloseList();
  /** Executes the closed list of a recording, in a submission of its own. All recorded work must be submitted. */
  void SubmitList(ID3D12GraphicsCommandList* list);

  /** From now on, measures each batch that begins and each replay; null stops measuring. No batch may be open. */
  void Measure(std::shared_ptr<Profile> profile) { profile_ = std::move(profile); }

  /** Returns the resources of finished batches to the pools, and frees those unused for a second. */
  void Retire();
  /** Frees what the pools have not used since `before`. */
  void Trim(Clock::time_point before);
  /** If no batch is open or unfinished, makes the next one begin faster. */
  void PrepareNext();
  bool IsPrepared() const { return context_pool_.IsPrepared(); }

  /** The fence value of the oldest batch that was unfinished at the last `Retire`, if any. */
  WaitFor Oldest() const;
  /** True if the GPU now executes the oldest batch, as of the last `Retire`, and that batch has no dispatch. */
  bool GpuOnlyCopies() const;
  /** The size of the upload chunks of all batches. */
  uint64_t UploadBytes() const { return in_flight_upload_bytes_ + (open_ ? open_->upload_bytes : 0); }

 private:
  Batch& Begin();
  void SubmitBetweenStamps(ID3D12GraphicsCommandList* list);
  void GiveBack(Batch batch);

  ID3D12Device* device_;
  CommandQueue* queue_;
  BindingTables* tables_;
  UploadPool* upload_pool_;
  CommandContextPool context_pool_;
  /** Null unless a profile is running. */
  std::shared_ptr<Profile> profile_;
  std::optional<Batch> open_;
  std::deque<Batch> in_flight_;
  uint64_t in_flight_upload_bytes_ = 0;
};

}  // namespace ndml
