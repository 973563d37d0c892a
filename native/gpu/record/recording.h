/**
 * A recording: dispatches and copies of textures that are recorded once and executed again and again. RecordingPlayer fills its
 * command lists.
 *
 * A command list must not be executed again before its execution has finished: Direct3D would remove the device, though
 * not every driver notices. So a recording has several lists, and each knows the fence value of its last execution.
 */
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "gpu/record/binding_tables.h"
#include "gpu/record/command_context_pool.h"
#include "gpu/record/dispatch_command.h"
#include "gpu/record/hazards.h"
#include "gpu/record/texture_copy.h"

namespace ndml {

/** A closed command list, and everything that it uses. */
struct RecordedList {
  CommandContext context;
  /** Keeps the list's buffers alive. */
  Hazards hazards;
  BindingTables::Heaps heaps;
  /** Fence value of its last execution. */
  uint64_t fence_value = 0;
};

using RecordedCommand = std::variant<DispatchCommand, TextureCopy>;

struct Recording {
  std::vector<RecordedCommand> commands;
  std::vector<RecordedList> lists;
};

}  // namespace ndml
