#include "gpu/copies.h"

#include <algorithm>
#include <cstring>

#include "gpu/recorder_limits.h"

namespace ndml {

void Copies::Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset,
                  const std::shared_ptr<Resource>& target, uint64_t target_offset, uint64_t size) {
  Batch& batch = batches_->Open();
  ZeroFill(source);
  ZeroFill(target);
  batch.hazards.UseForCopy(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 0);
  batch.hazards.UseForCopy(target, D3D12_RESOURCE_STATE_COPY_DEST, target_offset, target_offset + size);
  batch.hazards.Flush();
  batch.list()->CopyBufferRegion(target->d3d12.Get(), target_offset, source->d3d12.Get(), source_offset, size);
  batch.MarkCommand();
}

void Copies::RecordZeroFill(const std::shared_ptr<Resource>& resource) {
  Batch& batch = batches_->Open();
  if (!zeros_.resource) {
    zeros_ = CreateUploadChunk(device_, kUploadChunkBytes, counters_);
    std::memset(zeros_.data, 0, static_cast<size_t>(zeros_.size));
  }
  batch.hazards.UseForCopy(resource, D3D12_RESOURCE_STATE_COPY_DEST, resource->defined_bytes, resource->capacity);
  batch.hazards.Flush();
  for (uint64_t offset = resource->defined_bytes; offset < resource->capacity; offset += zeros_.size) {
    const uint64_t size = std::min(zeros_.size, resource->capacity - offset);
    batch.list()->CopyBufferRegion(resource->d3d12.Get(), offset, zeros_.resource.Get(), 0, size);
  }
  batch.MarkCommand();
  resource->defined_bytes = resource->capacity;
}

}  // namespace ndml
