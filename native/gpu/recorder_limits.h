/** Limits of the recorder: how much memory it keeps, and how much work may wait for the GPU. */
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/compat.h"

namespace ndml {

constexpr uint64_t kMiB = 1024 * 1024;
/**
 * A batch is submitted as soon as its upload chunks reach this size. A larger upload is split into parts of this size: while the
 * GPU copies one, the CPU writes the next. With smaller parts, submitting takes longer than is won if the CPU has other work.
 */
constexpr uint64_t kMaxUploadBytesPerBatch = 16 * kMiB;
/** Size of the chunks that small uploads share. Uploads larger than a quarter of it get a chunk of their own. */
constexpr uint64_t kUploadChunkBytes = 1 * kMiB;
/** Reads larger than this are split into parts of this size. While the GPU copies one part, a CPU thread copies another. */
constexpr uint64_t kReadbackPartBytes = 8 * kMiB;
/**
 * Limit of upload memory, in use and idle together. When all of it is in use, the next upload waits for the GPU. A larger
 * limit would not be faster: writing to memory that was used before is several times as fast as writing to new memory.
 */
constexpr uint64_t kMaxUploadBytes = 64 * kMiB;
/**
 * If the GPU does not finish its oldest batch within kUploadPatienceMs, it is busy with work before the uploads. To free
 * the caller's thread, uploads then take new memory up to kMaxLateUploadBytes, and wait for the GPU only beyond that.
 */
constexpr DWORD kUploadPatienceMs = 10;
constexpr uint64_t kMaxLateUploadBytes = 512 * kMiB;
/**
 * With this many batches unfinished, the next one waits for the oldest. Each batch has a command list and usually a
 * descriptor heap of its own.
 */
constexpr size_t kMaxBatchesInFlight = 128;
/** If the GPU finishes nothing for 10 s, a batch or a replay stops waiting and begins anyway, and an upload throws. */
constexpr DWORD kWaitTimeoutMs = 10'000;
/** A ring starts small and grows with the size of the reads. Four parts keep the GPU and the copying thread busy. */
constexpr uint64_t kMinRingBytes = 1 * kMiB;
constexpr uint64_t kMaxRingBytes = 4 * kReadbackPartBytes;
/** A temporary resource up to this size is kept even while unused. */
constexpr uint64_t kReservedTemporaryBytes = 1 * kMiB;
/** The memory of disposed buffers that is kept for new ones, in bytes, and for how many. */
constexpr uint64_t kMaxSpareBytes = 64 * kMiB;
constexpr size_t kMaxSpareBuffers = 64;
/** Alignment, in bytes, of each upload in a shared chunk. */
constexpr uint64_t kUploadAlignment = 16;
/** A batch is submitted as soon as it has this many dispatches. */
constexpr unsigned kMaxDispatchesPerBatch = 256;
/** This many replays of a recording can be in flight. The next one waits for the oldest. */
constexpr size_t kMaxListsPerRecording = 4;

}  // namespace ndml
