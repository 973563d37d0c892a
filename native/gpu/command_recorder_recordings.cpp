/** The part of the recorder that records recordings and executes them again. */
#include <algorithm>

#include "gpu/command_recorder.h"
#include "gpu/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

WaitFor CommandRecorder::TryCopyOverwritten(const Recording& recording, const Waited& waited) {
  if (later_reads_.empty()) return std::nullopt;
  if (const WaitFor value = TryOpen(waited)) return value;
  for (const DispatchCommand& command : recording.commands) CopyOverwritten(command.outputs);
  return std::nullopt;
}

WaitFor CommandRecorder::TryPrepareReplay(Recording& recording, const Waited& waited, RecordedList** list) {
  Retire();
  const auto oldest = std::min_element(recording.lists.begin(), recording.lists.end(),
                                       [](const auto& a, const auto& b) { return a.fence_value < b.fence_value; });
  if (oldest != recording.lists.end() && oldest->fence_value <= queue_->CompletedByGpu()) {
    *list = &*oldest;
    return std::nullopt;
  }
  // Slow work is no error: after the timeout there is one more list.
  const bool waits = recording.lists.size() >= kMaxListsPerRecording;
  if (waits && !waited.AtLeast(oldest->fence_value, kWaitTimeoutMs)) return oldest->fence_value;
  *list = &RecordList(recording);
  return std::nullopt;
}

void CommandRecorder::Replay(const std::shared_ptr<Recording>& recording, RecordedList& list) {
  // Set before the submission: even if that fails, the GPU may have the list.
  list.fence_value = queue_->last_submitted() + 1;
  running_recordings_.push_back({recording, list.fence_value});
  ID3D12GraphicsCommandList* const commands = list.context.list.Get();
  if (profile_) {
    SubmitWithStamps(commands);
  } else {
    queue_->Submit({commands}, {});
  }
}

RecordedList& CommandRecorder::RecordList(Recording& recording) {
  // What a list does to new memory would be done again by each replay.
  for (const DispatchCommand& command : recording.commands) {
    for (const std::vector<BufferRange>* const ranges : {&command.inputs, &command.outputs}) {
      for (const BufferRange& range : *ranges) {
        if (!range.resource || !range.resource->needs_zero_fill) continue;
        Open();
        ZeroFill(range.resource);
      }
    }
  }
  Submit();
  // The descriptors of the list must stay as they are for as long as it is replayed.
  tables_.DropHeap();
  submits_full_batches_ = false;
  try {
    uint64_t temporary_size = 0;
    for (const DispatchCommand& command : recording.commands) {
      temporary_size = std::max(temporary_size, command.op->properties.TemporaryResourceSize);
    }
    Open();
    // At once, so that it does not grow on the way: the list would keep each size.
    if (temporary_size > 0) Temporary(temporary_size);
    for (const DispatchCommand& command : recording.commands) Dispatch(command);
    ThrowIfFailed(current_->context.list->Close(), "ID3D12GraphicsCommandList::Close");
  } catch (...) {
    submits_full_batches_ = true;
    Abandon();
    throw;
  }
  submits_full_batches_ = true;
  recording.lists.push_back({std::move(current_->context), std::move(current_->hazards), tables_.TakeHeaps()});
  tables_.DropHeap();
  current_.reset();
  return recording.lists.back();
}

}  // namespace ndml
