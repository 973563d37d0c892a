/** Copies between buffers, between buffers and textures, and the zero-fill of new memory. All are recorded into the open batch. */
#pragma once

#include <memory>

#include "gpu/queue/batches.h"
#include "gpu/record/texture_copy.h"

namespace ndml {

class Copies {
 public:
  Copies(ID3D12Device* device, Batches* batches, std::shared_ptr<LiveCounters> counters)
      : device_(device), batches_(batches), counters_(std::move(counters)) {}

  /** Records a copy between two different buffers. */
  void Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset, const std::shared_ptr<Resource>& target,
            uint64_t target_offset, uint64_t size);
  void CopyTexture(const TextureCopy& copy);
  /** Zero-fills what is not defined yet. Call it before a command that reads the buffer, or writes behind those bytes. */
  void ZeroFill(const std::shared_ptr<Resource>& resource) {
    if (resource->defined_bytes < resource->capacity) RecordZeroFill(resource);
  }

 private:
  void RecordZeroFill(const std::shared_ptr<Resource>& resource);

  ID3D12Device* device_;
  Batches* batches_;
  std::shared_ptr<LiveCounters> counters_;
  /** Zeros to copy from; allocated when first needed. */
  UploadChunk zeros_;
};

}  // namespace ndml
