/**
 * Uploads: copies bytes to staging memory, and records copies from there to buffers. Small uploads share chunks.
 *
 * While the GPU copies uploads, at most kMaxUploadBytesAhead wait for it. If it has other work, it is kMaxUploadBytes, and
 * kMaxLateUploadBytes if that work takes long.
 */
#pragma once

#include <memory>

#include "gpu/work/copies.h"
#include "gpu/work/later_reads.h"

namespace ndml {

/** Bytes to write to a buffer. `data` must stay valid until the upload is done. */
struct UploadRequest {
  std::shared_ptr<Resource> target;
  uint64_t offset = 0;
  const uint8_t* data = nullptr;
  uint64_t size = 0;
  /** How many bytes are already copied. */
  uint64_t done = 0;
};

class Uploads {
 public:
  Uploads(ID3D12Device* device, Batches* batches, Copies* copies, LaterReads* later_reads, UploadPool* pool)
      : device_(device), batches_(batches), copies_(copies), later_reads_(later_reads), pool_(pool) {}

  /**
   * Copies the bytes, in parts if they are many. While unfinished uploads would exceed their limit, waits up to
   * kUploadPatienceMs for the oldest batch. Waits longer only while they would exceed kMaxLateUploadBytes, and throws
   * ERR_OUT_OF_MEMORY if the GPU finishes nothing for ten seconds meanwhile. Calls `TryOpen` itself.
   */
  WaitFor TryUpload(UploadRequest* upload, const Waited& waited);

 private:
  WaitFor TryUploadPart(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data, uint64_t size,
                        const Waited& waited);
  WaitFor TryAcquire(uint64_t size, const Waited& waited, UploadChunk* chunk);
  /** How many bytes of uploads may be unfinished, together with the next chunk of `size` bytes. */
  uint64_t Limit(uint64_t size) const;

  ID3D12Device* device_;
  Batches* batches_;
  Copies* copies_;
  LaterReads* later_reads_;
  UploadPool* pool_;
  /** The fence value of the last batch that did not finish within kUploadPatienceMs. */
  uint64_t late_batch_ = 0;
};

}  // namespace ndml
