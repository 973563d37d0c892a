#include "gpu/command_recorder.h"

#include <utility>

#include "gpu/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

CommandRecorder::CommandRecorder(ComPtr<ID3D12Device> device, ComPtr<IDMLDevice> dml, CommandQueue* queue,
                                 std::shared_ptr<LiveCounters> counters)
    : device_(std::move(device)),
      dml_(std::move(dml)),
      queue_(queue),
      counters_(std::move(counters)),
      tables_(device_.Get(), dml_.Get(), counters_),
      upload_pool_(kMaxUploadBytes, counters_) {
  ThrowIfFailed(dml_->CreateCommandRecorder(Iid<IDMLCommandRecorder>::value, dml_recorder_.Put()),
                "IDMLDevice::CreateCommandRecorder");
}

CommandRecorder::~CommandRecorder() = default;

uint64_t CommandRecorder::Submit() {
  if (!current_ || !current_->recorded) return queue_->last_submitted();
  ID3D12GraphicsCommandList* const list = current_->context.list.Get();
  if (current_->stamps) current_->stamps->End(list);
  const HRESULT closed = list->Close();
  if (FAILED(closed)) {
    Abandon();
    throw CallFailure("ID3D12GraphicsCommandList::Close", closed);
  }
  current_->fence_value = queue_->last_submitted() + 1;
  current_->heaps = tables_.TakeHeaps();
  std::vector<ReadbackCopy> readbacks = std::move(current_->readbacks);
  // The batch counts as in flight before it is submitted: even if submitting fails, the GPU may have the list.
  in_flight_upload_bytes_ += current_->upload_bytes;
  in_flight_.push_back(std::move(*current_));
  current_.reset();
  queue_->Submit({list}, std::move(readbacks));
  Retire();
  return queue_->last_submitted();
}

void CommandRecorder::Retire() {
  const uint64_t completed = queue_->CompletedByGpu();
  while (!in_flight_.empty() && in_flight_.front().fence_value <= completed) {
    Batch batch = std::move(in_flight_.front());
    in_flight_.pop_front();
    in_flight_upload_bytes_ -= batch.upload_bytes;
    GiveBack(std::move(batch));
  }
  while (!running_recordings_.empty() && running_recordings_.front().fence_value <= completed)
    running_recordings_.pop_front();
  const Clock::time_point now = Clock::now();
  for (LastUse* const use : {&rings_[0].use, &rings_[1].use, &temporary_use_}) {
    if (use->fence_value == 0) continue;
    use->time = now;
    if (use->fence_value <= completed) use->fence_value = 0;
  }
  Trim(now - kIdleTime);
}

void CommandRecorder::Trim(Clock::time_point before) {
  upload_pool_.Trim(before);
  tables_.Trim(before);
  context_pool_.Trim(before);
  for (auto& [ring, use] : rings_) {
    if (ring && ring->capacity() > kMinRingBytes && use.time <= before && ring->IsIdle()) ring.reset();
  }
  // One that a recording keeps alive would not be freed, and the next dispatch would need another.
  const bool is_alone = temporary_.use_count() == 1;
  if (is_alone && temporary_->capacity > kReservedTemporaryBytes && temporary_use_.time <= before) temporary_.reset();
}

void CommandRecorder::PrepareNext() {
  if (!current_ && in_flight_.empty() && running_recordings_.empty()) context_pool_.Prepare(device_.Get());
}

IdleMemory CommandRecorder::Idle() {
  Retire();
  return {temporary_.use_count() == 1 ? temporary_->capacity : 0, tables_.IdleBytes()};
}

void CommandRecorder::Abandon() {
  current_.reset();
  tables_.Begin();
}

WaitFor CommandRecorder::TryOpen(const Waited& waited) {
  if (current_) return std::nullopt;
  Retire();
  if (in_flight_.size() >= kMaxBatchesInFlight) {
    const uint64_t oldest = in_flight_.front().fence_value;
    // Slow work is no error: after the timeout the batch begins all the same.
    if (!waited.AtLeast(oldest, kWaitTimeoutMs)) return oldest;
  }
  Open();
  return std::nullopt;
}

CommandRecorder::Batch& CommandRecorder::Open() {
  if (!current_) {
    auto batch = std::make_unique<Batch>(context_pool_.Acquire(device_.Get()));
    // Not in the list of a recording, which runs again and again.
    if (profile_ && submits_full_batches_) batch->stamps.emplace(profile_, batch->context.list.Get());
    current_ = std::move(batch);
    tables_.Begin();
  }
  return *current_;
}

void CommandRecorder::GiveBack(Batch batch) {
  if (batch.stamps) batch.stamps->Collect();
  context_pool_.Release(std::move(batch.context));
  tables_.Release(std::move(batch.heaps));
  for (UploadChunk& chunk : batch.uploads) upload_pool_.Release(std::move(chunk));
}

}  // namespace ndml
