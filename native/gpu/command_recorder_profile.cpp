/** The part of the recorder that measures GPU time: of batches, of replays, and of single dispatches. */
#include <utility>

#include "gpu/command_recorder.h"
#include "platform/failure.h"

namespace ndml {

bool CommandRecorder::StartProfile() {
  if (profile_) throw Failure("ERR_INVALID_ARGUMENT", "a profile is running already");
  const uint64_t frequency = queue_->TimestampFrequency();
  if (frequency == 0) return false;
  SubmitAll();
  profile_ = std::make_shared<Profile>(device_, frequency, counters_);
  return true;
}

std::shared_ptr<const Profile> CommandRecorder::EndProfile() {
  if (!profile_) throw Failure("ERR_INVALID_ARGUMENT", "no profile is running");
  try {
    SubmitAll();
  } catch (...) {
    profile_.reset();
    throw;
  }
  return std::exchange(profile_, nullptr);
}

size_t CommandRecorder::DispatchProfiled(const DispatchCommand& command) {
  if (!profile_) throw Failure("ERR_INVALID_ARGUMENT", "no profile is running");
  const size_t index = profile_->AddDispatch();
  Open().profiled_dispatch = index;
  try {
    Dispatch(command);
  } catch (...) {
    // Or else the next dispatch would be taken for it.
    if (current_) current_->profiled_dispatch.reset();
    throw;
  }
  return index;
}

void CommandRecorder::SubmitAll() {
  Submit();
  // A batch in which nothing is recorded may have a stamp already, or may lack one.
  if (current_) Abandon();
}

void CommandRecorder::RecordWithStamps(ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable,
                                       IDMLBindingTable* table) {
  ListStamps& stamps = *current_->stamps;
  const std::optional<size_t> index = std::exchange(current_->profiled_dispatch, std::nullopt);
  if (index) stamps.BeginDispatch(list);
  dml_recorder_->RecordDispatch(list, dispatchable, table);
  if (index) {
    stamps.EndDispatch(list, *index);
  } else {
    stamps.MarkCommand();
  }
}

void CommandRecorder::SubmitWithStamps(ID3D12GraphicsCommandList* list) {
  // A batch in which nothing is recorded has a stamp, and only one list at a time may have stamps.
  if (current_) Abandon();
  // The stamps are in lists of their own: the recording's list stays as it was recorded.
  Batch before(context_pool_.Acquire(device_.Get()));
  Batch after(context_pool_.Acquire(device_.Get()));
  after.stamps.emplace(profile_, before.context.list.Get());
  after.stamps->MarkCommand();
  after.stamps->End(after.context.list.Get());
  for (Batch* const batch : {&before, &after}) {
    ThrowIfFailed(batch->context.list->Close(), "ID3D12GraphicsCommandList::Close");
    batch->fence_value = queue_->last_submitted() + 1;
  }
  ID3D12CommandList* const first = before.context.list.Get();
  ID3D12CommandList* const last = after.context.list.Get();
  in_flight_.push_back(std::move(before));
  in_flight_.push_back(std::move(after));
  queue_->Submit({first, list, last}, {});
}

}  // namespace ndml
