#include "gpu/work/copies.h"

#include <algorithm>
#include <cstring>

#include "gpu/memory/recorder_limits.h"

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

void Copies::CopyTexture(const TextureCopy& copy) {
  Batch& batch = batches_->Open();
  ZeroFill(copy.buffer);
  const uint64_t end = copy.offset + uint64_t{copy.row_pitch} * copy.height;
  batch.hazards.UseTexture(copy.texture,
                           copy.to_buffer ? D3D12_RESOURCE_STATE_COPY_SOURCE : D3D12_RESOURCE_STATE_COPY_DEST);
  batch.hazards.UseForCopy(copy.buffer,
                           copy.to_buffer ? D3D12_RESOURCE_STATE_COPY_DEST : D3D12_RESOURCE_STATE_COPY_SOURCE,
                           copy.offset, end);
  batch.hazards.Flush();
  D3D12_TEXTURE_COPY_LOCATION texels = {};
  texels.pResource = copy.texture->d3d12.Get();
  texels.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
  D3D12_TEXTURE_COPY_LOCATION rows = {};
  rows.pResource = copy.buffer->d3d12.Get();
  rows.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
  rows.PlacedFootprint.Offset = copy.offset;
  rows.PlacedFootprint.Footprint = {copy.format, copy.width, copy.height, 1, copy.row_pitch};
  if (copy.to_buffer) {
    const D3D12_BOX box = {copy.x, copy.y, 0, copy.x + copy.width, copy.y + copy.height, 1};
    batch.list()->CopyTextureRegion(&rows, 0, 0, 0, &texels, &box);
  } else {
    const D3D12_BOX box = {0, 0, 0, copy.width, copy.height, 1};
    batch.list()->CopyTextureRegion(&texels, copy.x, copy.y, 0, &rows, &box);
  }
  batch.hazards.EndTextureCopy(copy.texture);
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
