#include "gpu/queue/batches.h"

#include <utility>
#include <vector>

#include "gpu/memory/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

WaitFor Batches::TryOpen(const Waited& waited) {
  if (open_) return std::nullopt;
  Retire();
  if (in_flight_.size() >= kMaxBatchesInFlight) {
    const uint64_t oldest = in_flight_.front().fence_value;
    // Slow work is not an error: after the timeout, the batch begins anyway.
    if (!waited.AtLeast(oldest, kWaitTimeoutMs)) return oldest;
  }
  Begin();
  return std::nullopt;
}

Batch& Batches::Begin() {
  Batch batch(context_pool_.Acquire(device_));
  if (profile_) batch.stamps.emplace(profile_, batch.list());
  open_.emplace(std::move(batch));
  tables_->Begin();
  return *open_;
}

uint64_t Batches::Submit() {
  if (!open_ || !open_->recorded) return queue_->last_submitted();
  ID3D12GraphicsCommandList* const list = open_->list();
  if (open_->stamps) open_->stamps->End(list);
  const HRESULT closed = list->Close();
  if (FAILED(closed)) {
    Abandon();
    throw CallFailure("ID3D12GraphicsCommandList::Close", closed);
  }
  open_->fence_value = queue_->last_submitted() + 1;
  open_->heaps = tables_->TakeHeaps();
  std::vector<ReadbackCopy> readbacks = std::move(open_->readbacks);
  // The batch counts as in flight before it is submitted: even if submitting fails, the GPU may have the list.
  in_flight_upload_bytes_ += open_->upload_bytes;
  in_flight_.push_back(std::move(*open_));
  open_.reset();
  queue_->Submit({list}, std::move(readbacks));
  Retire();
  return queue_->last_submitted();
}

void Batches::SubmitAll() {
  Submit();
  // Drop an empty batch: it has stamps only if a profile ran when it began, not if one starts now.
  if (open_) Abandon();
}

void Batches::Abandon() {
  open_.reset();
  tables_->Begin();
}

Batch& Batches::OpenList() {
  // The list has no stamps, because it is executed many times.
  open_.emplace(context_pool_.Create(device_));
  open_->is_for_recording = true;
  tables_->Begin();
  return *open_;
}

RecordedList Batches::CloseList() {
  ThrowIfFailed(open_->list()->Close(), "ID3D12GraphicsCommandList::Close");
  RecordedList list = {std::move(open_->context), std::move(open_->hazards), tables_->TakeHeaps()};
  open_.reset();
  return list;
}

void Batches::SubmitList(ID3D12GraphicsCommandList* list) {
  if (profile_) {
    SubmitBetweenStamps(list);
  } else {
    queue_->Submit({list}, {});
  }
}

void Batches::SubmitBetweenStamps(ID3D12GraphicsCommandList* list) {
  // An empty batch already has its first stamp, and only one list at a time may have stamps.
  if (open_) Abandon();
  // The stamps are in two other lists, because the recording's list is closed.
  Batch before(context_pool_.Acquire(device_));
  Batch after(context_pool_.Acquire(device_));
  after.stamps.emplace(profile_, before.list());
  after.stamps->MarkCommand();
  after.stamps->End(after.list());
  for (Batch* const batch : {&before, &after}) {
    ThrowIfFailed(batch->list()->Close(), "ID3D12GraphicsCommandList::Close");
    batch->fence_value = queue_->last_submitted() + 1;
  }
  ID3D12CommandList* const first = before.list();
  ID3D12CommandList* const last = after.list();
  in_flight_.push_back(std::move(before));
  in_flight_.push_back(std::move(after));
  queue_->Submit({first, list, last}, {});
}

void Batches::Retire() {
  const uint64_t completed = queue_->CompletedByGpu();
  while (!in_flight_.empty() && in_flight_.front().fence_value <= completed) {
    Batch batch = std::move(in_flight_.front());
    in_flight_.pop_front();
    in_flight_upload_bytes_ -= batch.upload_bytes;
    GiveBack(std::move(batch));
  }
  Trim(Clock::now() - kIdleTime);
}

void Batches::GiveBack(Batch batch) {
  if (batch.stamps) batch.stamps->Collect();
  context_pool_.Release(std::move(batch.context));
  tables_->Release(std::move(batch.heaps));
  for (UploadChunk& chunk : batch.uploads) upload_pool_->Release(std::move(chunk));
}

void Batches::Trim(Clock::time_point before) {
  upload_pool_->Trim(before);
  tables_->Trim(before);
  context_pool_.Trim(before);
}

void Batches::PrepareNext() {
  if (!open_ && in_flight_.empty()) context_pool_.Prepare(device_);
}

bool Batches::GpuOnlyCopies() const {
  if (in_flight_.empty() || in_flight_.front().dispatches > 0) return false;
  // Replays are no batches. If one comes before the oldest batch, the GPU is still at the replay.
  return in_flight_.front().fence_value <= queue_->CompletedByGpu() + 1;
}

WaitFor Batches::Oldest() const { return in_flight_.empty() ? std::nullopt : WaitFor(in_flight_.front().fence_value); }

}  // namespace ndml
