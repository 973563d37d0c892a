/** What the recorder keeps, and how much may wait for the GPU. */
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/compat.h"

namespace ndml {

constexpr uint64_t kMiB = 1024 * 1024;
constexpr uint64_t kUploadBytesPerBatch = 64 * kMiB;
/** Uploads share chunks of this size; a larger one gets its own. */
constexpr uint64_t kUploadChunk = 1 * kMiB;
/**
 * Transfers larger than this go in parts of this size, each submitted by itself: while the GPU copies one part, a
 * thread of the CPU copies another.
 */
constexpr uint64_t kTransferPart = 8 * kMiB;
/** A program that uploads faster than the GPU copies waits here instead of running out of memory. */
constexpr uint64_t kUploadBytesInFlight = 256 * kMiB;
/**
 * A program that submits faster than the GPU works waits here for the oldest batch: each has a command list and, as a
 * rule, a descriptor heap of its own.
 */
constexpr size_t kBatchesInFlight = 128;
/** How long the GPU may finish nothing before such a wait is given up, and how often to look whether it is there. */
constexpr DWORD kWaitTimeoutMs = 10'000;
constexpr DWORD kWaitPollMs = 100;
constexpr uint64_t kIdleUpload = 64 * kMiB;
/** A ring begins small and grows with what is read at a time. Four parts keep the GPU and the copying thread busy. */
constexpr uint64_t kSmallestRing = 1 * kMiB;
constexpr uint64_t kLargestRing = 4 * kTransferPart;
/** A temporary resource up to this size is kept. */
constexpr uint64_t kReservedTemporary = 1 * kMiB;
/** Room between small uploads, so that each starts aligned. */
constexpr uint64_t kUploadAlignment = 16;
/** A batch of so many dispatches is submitted. */
constexpr unsigned kDispatchesPerBatch = 256;

}  // namespace ndml
