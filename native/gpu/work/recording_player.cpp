#include "gpu/work/recording_player.h"

#include <algorithm>

#include "gpu/memory/recorder_limits.h"

namespace ndml {

WaitFor RecordingPlayer::TryCopyOverwritten(const Recording& recording, const Waited& waited) {
  if (later_reads_->IsEmpty()) return std::nullopt;
  if (const WaitFor value = batches_->TryOpen(waited)) return value;
  for (const RecordedCommand& command : recording.commands) {
    const auto* const copy = std::get_if<TextureCopy>(&command);
    later_reads_->CopyOverwritten(copy != nullptr ? WrittenBy(*copy) : std::get<DispatchCommand>(command).outputs);
  }
  return std::nullopt;
}

WaitFor RecordingPlayer::TryPrepare(Recording& recording, const Waited& waited, RecordedList** list) {
  const uint64_t completed = queue_->CompletedByGpu();
  batches_->Retire();
  Retire(completed);
  const auto oldest = std::min_element(recording.lists.begin(), recording.lists.end(),
                                       [](const auto& a, const auto& b) { return a.fence_value < b.fence_value; });
  if (oldest != recording.lists.end() && oldest->fence_value <= completed) {
    *list = &*oldest;
    return std::nullopt;
  }
  // Slow work is not an error: after the timeout, one more list is recorded.
  const bool waits = recording.lists.size() >= kMaxListsPerRecording;
  if (waits && !waited.AtLeast(oldest->fence_value, kWaitTimeoutMs)) return oldest->fence_value;
  *list = &RecordList(recording);
  return std::nullopt;
}

void RecordingPlayer::Replay(const std::shared_ptr<Recording>& recording, RecordedList& list) {
  // Set before the submission: even if that fails, the GPU may have the list.
  list.fence_value = queue_->last_submitted() + 1;
  running_.push_back({recording, list.fence_value});
  batches_->SubmitList(list.context.list.Get());
}

void RecordingPlayer::Retire(uint64_t completed) {
  while (!running_.empty() && running_.front().fence_value <= completed) running_.pop_front();
}

RecordedList& RecordingPlayer::RecordList(Recording& recording) {
  // Zero-fill new memory before the list, because each replay would repeat a zero-fill inside it.
  ZeroFill(recording);
  batches_->SubmitAll();
  // Give the list a heap of its own, because its descriptors must not change while it can be replayed.
  tables_->DropHeap();
  uint64_t temporary_size = 0;
  for (const RecordedCommand& command : recording.commands) {
    const auto* const dispatch = std::get_if<DispatchCommand>(&command);
    if (dispatch == nullptr) continue;
    temporary_size = std::max(temporary_size, dispatch->op->properties.TemporaryResourceSize);
  }
  batches_->OpenList();
  try {
    // Allocate the largest size first. If the resource grew meanwhile, the list would keep each smaller one alive.
    if (temporary_size > 0) temporary_->Get(temporary_size);
    for (const RecordedCommand& command : recording.commands) {
      if (const auto* const copy = std::get_if<TextureCopy>(&command)) {
        recorder_->CopyTexture(*copy);
      } else {
        recorder_->Dispatch(std::get<DispatchCommand>(command));
      }
    }
    recording.lists.push_back(batches_->CloseList());
  } catch (...) {
    batches_->Abandon();
    throw;
  }
  tables_->DropHeap();
  return recording.lists.back();
}

void RecordingPlayer::ZeroFill(const Recording& recording) {
  for (const RecordedCommand& command : recording.commands) {
    if (const auto* const copy = std::get_if<TextureCopy>(&command)) {
      copies_->ZeroFill(copy->buffer);
      continue;
    }
    const auto& dispatch = std::get<DispatchCommand>(command);
    for (const std::vector<BufferRange>* const ranges : {&dispatch.inputs, &dispatch.outputs}) {
      for (const BufferRange& range : *ranges) {
        if (range.resource) copies_->ZeroFill(range.resource);
      }
    }
  }
}

}  // namespace ndml
