/** Limits of the recorder: how much memory it keeps, and how much work may wait for the GPU. */
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/compat.h"

namespace ndml {

constexpr uint64_t kMiB = 1024 * 1024;
/**
 * Transfers larger than this are split into parts of this size, each with its own submission: while the GPU copies one part,
 * the CPU copies another. A batch is also submitted as soon as its upload chunks reach this size.
 */
constexpr uint64_t kTransferPartBytes = 8 * kMiB;
/**
 * While the GPU copies uploads, no more than this waits for it. More is no faster: the data would drop out of the CPU's cache
 * before it is copied and before it is written again.
 */
constexpr uint64_t kMaxUploadBytesAhead = 2 * kTransferPartBytes;
/** Size of the chunks that small uploads share. Uploads larger than a quarter of it get a chunk of their own. */
constexpr uint64_t kUploadChunkBytes = 1 * kMiB;
/**
 * Limit of upload memory, in use and idle together, while the GPU has other work before the uploads. When all of it is in use,
 * the next upload waits for the GPU. A larger limit would not be faster: writing to memory that was used before is several
 * times as fast as writing to new memory.
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
/**
 * A ring starts small and grows with the size of the reads. The waiter copies each part at once, so two keep it and the GPU
 * busy. The JavaScript thread may have other work first: meanwhile the GPU fills its ring.
 */
constexpr uint64_t kMinRingBytes = 1 * kMiB;
constexpr uint64_t kMaxWaiterRingBytes = 2 * kTransferPartBytes;
constexpr uint64_t kMaxScriptRingBytes = 4 * kTransferPartBytes;
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
