/** The part of the recorder that copies: uploads, reads, and the zero-fill of new memory. */
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "gpu/command_recorder.h"
#include "gpu/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

WaitFor CommandRecorder::TryUpload(UploadRequest* upload, const Waited& waited) {
  auto& [target, offset, data, size, done] = *upload;
  const bool covers_all = offset == 0 && size == target->capacity;
  while (done < size) {
    if (const WaitFor value = TryOpen(waited)) return value;
    if (done == 0 && !later_reads_.empty()) CopyOverwritten({{target, offset, size}});
    if (done == 0 && !covers_all) ZeroFill(target);
    const uint64_t part = std::min(kTransferPartBytes, size - done);
    if (const WaitFor value = TryUploadPart(target, offset + done, data + done, part, waited)) return value;
    done += part;
    if (done < size) Submit();
  }
  // Only after success: if the upload fails, the whole buffer is zero-filled before its next use.
  if (covers_all) target->needs_zero_fill = false;
  return std::nullopt;
}

WaitFor CommandRecorder::TryUploadPart(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data,
                                       uint64_t size, const Waited& waited) {
  const bool shares = size <= kUploadChunkBytes / 4;
  const bool fits =
      shares && current_ && current_->upload_used > 0 && current_->upload_used + size <= current_->uploads.back().size;
  if (!fits) {
    UploadChunk chunk;
    if (const WaitFor value = TryAcquireUpload(shares ? kUploadChunkBytes : size, waited, &chunk)) return value;
    Batch& batch = Open();
    batch.upload_bytes += chunk.size;
    // An unshared chunk is inserted at the front, so that the shared chunk being filled stays the last one.
    batch.uploads.insert(shares ? batch.uploads.end() : batch.uploads.begin(), std::move(chunk));
    if (shares) batch.upload_used = 0;
  }
  Batch& batch = *current_;
  const UploadChunk& chunk = shares ? batch.uploads.back() : batch.uploads.front();
  const uint64_t source_offset = shares ? batch.upload_used : 0;
  if (shares) batch.upload_used = RoundUp(batch.upload_used + size, kUploadAlignment);
  std::memcpy(chunk.data + source_offset, data, static_cast<size_t>(size));
  batch.hazards.UseForCopy(target, D3D12_RESOURCE_STATE_COPY_DEST, offset, offset + size);
  batch.hazards.Flush();
  batch.context.list->CopyBufferRegion(target->d3d12.Get(), offset, chunk.resource.Get(), source_offset, size);
  batch.MarkCommand();
  if (batch.upload_bytes >= kMaxUploadBytesPerBatch) Submit();
  return std::nullopt;
}

uint64_t CommandRecorder::UploadLimit() const {
  const bool is_late = !in_flight_.empty() && in_flight_.front().fence_value == late_batch_;
  return is_late ? kMaxLateUploadBytes : kMaxUploadBytes;
}

WaitFor CommandRecorder::TryAcquireUpload(uint64_t size, const Waited& waited, UploadChunk* chunk) {
  for (;;) {
    Retire();
    if (std::optional<UploadChunk> idle = upload_pool_.Reuse(size)) {
      *chunk = std::move(*idle);
      return std::nullopt;
    }
    if (!in_flight_.empty() && waited.AtLeast(in_flight_.front().fence_value, kUploadPatienceMs)) {
      late_batch_ = in_flight_.front().fence_value;
    }
    if (UploadBytesInFlight() + size <= UploadLimit() || UploadBytesInFlight() == 0) {
      // Chunks of other sizes make room for this one.
      upload_pool_.ShrinkTo(kMaxUploadBytes - std::min(kMaxUploadBytes, UploadBytesInFlight() + size));
      try {
        *chunk = upload_pool_.Create(device_.Get(), size);
        return std::nullopt;
      } catch (const Failure& failure) {
        // Unfinished uploads will return their memory.
        if (!failure.IsOutOfMemory() || UploadBytesInFlight() == 0) throw;
      }
    }
    if (current_ && current_->upload_bytes > 0) Submit();
    if (in_flight_.empty()) continue;
    const uint64_t oldest = in_flight_.front().fence_value;
    if (!waited.AtLeast(oldest, kWaitTimeoutMs)) return oldest;
    throw Failure("ERR_OUT_OF_MEMORY", std::to_string(UploadBytesInFlight() / kMiB) +
                                           " MiB of uploads wait for the GPU, which has finished " + "nothing for " +
                                           std::to_string(kWaitTimeoutMs / 1000) +
                                           " seconds; await idle() before writing more");
  }
}

void CommandRecorder::Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset,
                           const std::shared_ptr<Resource>& target, uint64_t target_offset, uint64_t size) {
  if (!later_reads_.empty()) CopyOverwritten({{target, target_offset, size}});
  CopyRegion(source, source_offset, target, target_offset, size);
}

void CommandRecorder::CopyRegion(const std::shared_ptr<Resource>& source, uint64_t source_offset,
                                 const std::shared_ptr<Resource>& target, uint64_t target_offset, uint64_t size) {
  Batch& batch = Open();
  ZeroFill(source);
  ZeroFill(target);
  batch.hazards.UseForCopy(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 0);
  batch.hazards.UseForCopy(target, D3D12_RESOURCE_STATE_COPY_DEST, target_offset, target_offset + size);
  batch.hazards.Flush();
  batch.context.list->CopyBufferRegion(target->d3d12.Get(), target_offset, source->d3d12.Get(), source_offset, size);
  batch.MarkCommand();
}

void CommandRecorder::CopyOverwritten(const std::vector<BufferRange>& written) {
  const auto is_over = [](const auto& reads) { return reads.expired(); };
  later_reads_.erase(std::remove_if(later_reads_.begin(), later_reads_.end(), is_over), later_reads_.end());
  for (const auto& reads : later_reads_) {
    for (BufferRange& read : *reads.lock()) {
      const auto overwrites = [&](const BufferRange& range) {
        return range.resource && range.resource == read.resource && range.offset < read.offset + read.size &&
               read.offset < range.offset + range.size;
      };
      if (std::none_of(written.begin(), written.end(), overwrites)) continue;
      const std::shared_ptr<Resource> copy = CreateResource(device_.Get(), read.size);
      copy->counted = CountedBytes(counters_, &LiveCounters::persistent_bytes, copy->capacity);
      CopyRegion(read.resource, read.offset, copy, 0, read.size);
      read = {copy, 0, read.size};
    }
  }
}

WaitFor CommandRecorder::TryReadback(ReadRequest* read, const Waited& waited) {
  auto& [source, offset, target, size, done, fence_value] = *read;
  while (done < size) {
    if (const WaitFor value = TryOpen(waited)) return value;
    const std::shared_ptr<ReadbackRing> ring = RingFor(target, size, std::min(size - done, kTransferPartBytes));
    const uint64_t part_size = std::min({size - done, kTransferPartBytes, ring->capacity()});
    const ReadbackRing::Part part = ring->Next(part_size);
    Batch& batch = Open();
    ZeroFill(source);
    batch.hazards.UseForCopy(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 0);
    batch.hazards.Flush();
    batch.kept_alive.push_back(ring);
    batch.readbacks.push_back({ring, part, target, static_cast<size_t>(done), static_cast<size_t>(part_size)});
    batch.context.list->CopyBufferRegion(ring->resource(), part.offset, source->d3d12.Get(), offset + done, part_size);
    batch.MarkCommand();
    done += part_size;
    fence_value = Submit();
  }
  return std::nullopt;
}

std::shared_ptr<ReadbackRing> CommandRecorder::RingFor(const ReadTarget& target, uint64_t size, uint64_t part_size) {
  auto& [ring, use] = rings_[target.memory == nullptr ? 1 : 0];
  const uint64_t wanted = std::min(std::max(kMinRingBytes, RoundUp(size, kMiB)), kMaxRingBytes);
  const bool fits = ring && ring->capacity() >= wanted && ring->HasRoom(part_size);
  if (wanted * 2 > (ring ? ring->capacity() : 0)) use = UsedNow();
  if (fits || (ring && ring->capacity() == kMaxRingBytes)) return ring;
  const uint64_t capacity = std::min(std::max(wanted, ring ? 2 * ring->capacity() : 0), kMaxRingBytes);
  try {
    ring = std::make_shared<ReadbackRing>(device_.Get(), capacity, counters_);
  } catch (const Failure& failure) {
    if (!failure.IsOutOfMemory()) throw;
    // A small ring works too, only slower.
    if (!ring) ring = std::make_shared<ReadbackRing>(device_.Get(), kMinRingBytes, counters_);
  }
  return ring;
}

void CommandRecorder::ZeroFill(const std::shared_ptr<Resource>& resource) {
  if (!resource->needs_zero_fill) return;
  if (!zeros_.resource) {
    zeros_ = CreateUploadChunk(device_.Get(), kUploadChunkBytes, counters_);
    std::memset(zeros_.data, 0, static_cast<size_t>(zeros_.size));
  }
  current_->hazards.UseForCopy(resource, D3D12_RESOURCE_STATE_COPY_DEST, 0, resource->capacity);
  current_->hazards.Flush();
  for (uint64_t offset = 0; offset < resource->capacity; offset += zeros_.size) {
    const uint64_t size = std::min(zeros_.size, resource->capacity - offset);
    current_->context.list->CopyBufferRegion(resource->d3d12.Get(), offset, zeros_.resource.Get(), 0, size);
  }
  current_->MarkCommand();
  resource->needs_zero_fill = false;
}

}  // namespace ndml
