/** A batch: a command list, and everything that it uses. It is kept until the GPU has passed its fence value. */
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/memory/upload_pool.h"
#include "gpu/queue/readback_copy.h"
#include "gpu/record/binding_tables.h"
#include "gpu/record/command_context_pool.h"
#include "gpu/record/hazards.h"
#include "gpu/record/timestamps.h"

namespace ndml {

struct Batch {
  explicit Batch(CommandContext acquired) : context(std::move(acquired)), hazards(context.list.Get()) {}

  ID3D12GraphicsCommandList* list() const { return context.list.Get(); }
  /** Call for each command that is not a dispatch. */
  void MarkCommand() {
    recorded = true;
    if (stamps) stamps->MarkCommand();
  }

  CommandContext context;
  /** Keeps the batch's buffers alive. */
  Hazards hazards;
  /** Empty unless a profile is running. */
  std::optional<ListStamps> stamps;
  BindingTables::Heaps heaps;
  std::vector<UploadChunk> uploads;
  /** Keeps alive the objects that the batch uses besides buffers. */
  std::vector<std::shared_ptr<const void>> kept_alive;
  std::vector<ComPtr<IUnknown>> kept_alive_com;
  std::vector<ReadbackCopy> readbacks;
  uint64_t fence_value = 0;
  /** Total size of the upload chunks. */
  uint64_t upload_bytes = 0;
  /** Bytes used in the shared chunk, which is the last one of `uploads`. */
  uint64_t upload_used = 0;
  unsigned dispatches = 0;
  bool recorded = false;
  /** True for the list of a recording, which is not submitted as a batch. */
  bool is_for_recording = false;
};

}  // namespace ndml
