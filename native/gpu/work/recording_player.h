/** Records the command lists of recordings, and executes them again and again: see recording.h. */
#pragma once

#include <deque>
#include <memory>

#include "gpu/record/recording.h"
#include "gpu/work/command_recorder.h"

namespace ndml {

class RecordingPlayer {
 public:
  RecordingPlayer(const CommandQueue* queue, Batches* batches, BindingTables* tables, TemporaryResource* temporary,
                  Copies* copies, LaterReads* later_reads, CommandRecorder* recorder)
      : queue_(queue),
        batches_(batches),
        tables_(tables),
        temporary_(temporary),
        copies_(copies),
        later_reads_(later_reads),
        recorder_(recorder) {}
  RecordingPlayer(const RecordingPlayer&) = delete;
  RecordingPlayer& operator=(const RecordingPlayer&) = delete;

  /** Call before a recording is replayed. Copies data that its dispatches overwrite and that must be read later. */
  WaitFor TryCopyOverwritten(const Recording& recording, const Waited& waited);
  /**
   * Finds a list of the recording that the GPU is not executing, for `Replay`. Records one only if each of the recording's
   * lists is still being executed. With `kMaxListsPerRecording` lists in flight, waits for one, at most ten seconds. All
   * earlier work must be submitted. If it throws, it has changed nothing, and may be called again. It may begin a batch
   * without `TryOpen`.
   */
  WaitFor TryPrepare(Recording& recording, const Waited& waited, RecordedList** list);
  /** Executes the list of the recording, in a submission of its own. */
  void Replay(const std::shared_ptr<Recording>& recording, RecordedList& list);
  /** Releases the recordings that the GPU has executed. */
  void Retire(uint64_t completed);
  /** True if the GPU executes no recording. */
  bool IsIdle() const { return running_.empty(); }

 private:
  /** A recording that the GPU may be executing. */
  struct RunningRecording {
    std::shared_ptr<Recording> recording;
    uint64_t fence_value = 0;
  };

  RecordedList& RecordList(Recording& recording);
  /** Records the zero-fill of new memory. */
  void ZeroFill(const Recording& recording);

  const CommandQueue* queue_;
  Batches* batches_;
  BindingTables* tables_;
  TemporaryResource* temporary_;
  Copies* copies_;
  LaterReads* later_reads_;
  CommandRecorder* recorder_;
  /** In the order of their fence values. */
  std::deque<RunningRecording> running_;
};

}  // namespace ndml
