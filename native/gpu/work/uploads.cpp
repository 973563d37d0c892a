#include "gpu/work/uploads.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "gpu/memory/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

WaitFor Uploads::TryUpload(UploadRequest* upload, const Waited& waited) {
  auto& [target, offset, data, size, done] = *upload;
  while (done < size) {
    if (const WaitFor value = batches_->TryOpen(waited)) return value;
    if (done == 0 && !later_reads_->IsEmpty()) later_reads_->CopyOverwritten({{target, offset, size}});
    if (done == 0 && offset > target->defined_bytes) copies_->ZeroFill(target);
    const uint64_t part = std::min(kTransferPartBytes, size - done);
    if (const WaitFor value = TryUploadPart(target, offset + done, data + done, part, waited)) return value;
    done += part;
  }
  // Only after success: if the upload fails, what it should have written is zero-filled before its next use.
  target->defined_bytes = std::max(target->defined_bytes, offset + size);
  return std::nullopt;
}

WaitFor Uploads::TryUploadPart(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data,
                               uint64_t size, const Waited& waited) {
  const bool shares = size <= kUploadChunkBytes / 4;
  const Batch* const open = batches_->open();
  const bool fits =
      shares && open != nullptr && open->upload_used > 0 && open->upload_used + size <= open->uploads.back().size;
  if (!fits) {
    UploadChunk chunk;
    if (const WaitFor value = TryAcquire(shares ? kUploadChunkBytes : size, waited, &chunk)) return value;
    Batch& batch = batches_->Open();
    const uint64_t chunk_bytes = chunk.size;
    // An unshared chunk is inserted at the front, so that the shared chunk being filled stays the last one.
    batch.uploads.insert(shares ? batch.uploads.end() : batch.uploads.begin(), std::move(chunk));
    batch.upload_bytes += chunk_bytes;
    // The batch must be submitted to return the chunk, even if the copy below cannot be recorded for lack of memory.
    batch.recorded = true;
    if (shares) batch.upload_used = 0;
  }
  Batch& batch = batches_->Open();
  const UploadChunk& chunk = shares ? batch.uploads.back() : batch.uploads.front();
  const uint64_t source_offset = shares ? batch.upload_used : 0;
  if (shares) batch.upload_used = RoundUp(batch.upload_used + size, kUploadAlignment);
  std::memcpy(chunk.data + source_offset, data, static_cast<size_t>(size));
  batch.hazards.UseForCopy(target, D3D12_RESOURCE_STATE_COPY_DEST, offset, offset + size);
  batch.hazards.Flush();
  batch.list()->CopyBufferRegion(target->d3d12.Get(), offset, chunk.resource.Get(), source_offset, size);
  batch.MarkCommand();
  if (batch.upload_bytes >= kTransferPartBytes) batches_->Submit();
  return std::nullopt;
}

uint64_t Uploads::Limit(uint64_t size) const {
  const WaitFor oldest = batches_->Oldest();
  if (oldest && *oldest == late_batch_) return kMaxLateUploadBytes;
  return size > kUploadChunkBytes && batches_->GpuOnlyCopies() ? kMaxUploadBytesAhead : kMaxUploadBytes;
}

WaitFor Uploads::TryAcquire(uint64_t size, const Waited& waited, UploadChunk* chunk) {
  for (;;) {
    batches_->Retire();
    if (const WaitFor oldest = batches_->Oldest()) {
      if (waited.AtLeast(*oldest, kUploadPatienceMs)) late_batch_ = *oldest;
    }
    const uint64_t in_flight = batches_->UploadBytes();
    if (in_flight + size <= Limit(size) || in_flight == 0) {
      if (std::optional<UploadChunk> idle = pool_->Reuse(size)) {
        *chunk = std::move(*idle);
        return std::nullopt;
      }
      // Free idle chunks, none of which fits, to make room for this one.
      pool_->ShrinkTo(kMaxUploadBytes - std::min(kMaxUploadBytes, in_flight + size));
      try {
        *chunk = pool_->Create(device_, size);
        return std::nullopt;
      } catch (const Failure& failure) {
        // Wait below: unfinished uploads will return their memory.
        if (!failure.IsOutOfMemory() || in_flight == 0) throw;
      }
    }
    const Batch* const open = batches_->open();
    if (open != nullptr && open->upload_bytes > 0) batches_->Submit();
    const WaitFor oldest = batches_->Oldest();
    if (!oldest) continue;
    if (!waited.AtLeast(*oldest, kWaitTimeoutMs)) return oldest;
    throw Failure("ERR_OUT_OF_MEMORY", std::to_string(batches_->UploadBytes() / kMiB) +
                                           " MiB of uploads wait for the GPU, which has finished nothing for " +
                                           std::to_string(kWaitTimeoutMs / 1000) +
                                           " seconds; await idle() before writing more");
  }
}

}  // namespace ndml
