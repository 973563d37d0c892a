/**
 * Buffer ranges that a later command must read as they are now. Before another command overwrites such a range, its contents
 * are copied, and the range is changed to refer to the copy.
 */
#pragma once

#include <memory>
#include <vector>

#include "gpu/record/dispatch_command.h"
#include "gpu/work/copies.h"

namespace ndml {

/** The range that the copy of a texture writes; none if it writes the texture. */
inline std::vector<BufferRange> WrittenBy(const TextureCopy& copy) {
  if (!copy.to_buffer) return {};
  return {{copy.buffer, copy.offset, uint64_t{copy.row_pitch} * copy.height}};
}

class LaterReads {
 public:
  LaterReads(ID3D12Device* device, Copies* copies, std::shared_ptr<LiveCounters> counters)
      : device_(device), copies_(copies), counters_(std::move(counters)) {}

  /** Protects the ranges until the caller frees the vector. */
  void Add(const std::shared_ptr<std::vector<BufferRange>>& ranges) { reads_.push_back(ranges); }
  bool IsEmpty() const { return reads_.empty(); }
  /** Call before a command is recorded that writes these ranges. Throws ERR_OUT_OF_MEMORY. */
  void CopyOverwritten(const std::vector<BufferRange>& written) {
    if (!IsEmpty()) RecordCopies(written);
  }

 private:
  void RecordCopies(const std::vector<BufferRange>& written);

  ID3D12Device* device_;
  Copies* copies_;
  std::shared_ptr<LiveCounters> counters_;
  std::vector<std::weak_ptr<std::vector<BufferRange>>> reads_;
};

}  // namespace ndml
