#include "command_recorder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "errors.h"

namespace ndml {

namespace {

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

}  // namespace

CommandRecorder::CommandRecorder(ComPtr<ID3D12Device> device, ComPtr<IDMLDevice> dml, CommandQueue* queue,
                                 std::shared_ptr<LiveCounters> counters)
    : device_(std::move(device)),
      dml_(std::move(dml)),
      queue_(queue),
      descriptor_size_(device_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV)),
      counters_(std::move(counters)),
      upload_pool_(kIdleUpload, counters_),
      heap_pool_(descriptor_size_, counters_) {
  ThrowIfFailed(dml_->CreateCommandRecorder(Iid<IDMLCommandRecorder>::value, dml_recorder_.Put()),
                "IDMLDevice::CreateCommandRecorder");
}

CommandRecorder::~CommandRecorder() = default;

void CommandRecorder::Upload(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data,
                             uint64_t size) {
  const bool covers_all = offset == 0 && size == target->capacity;
  if (!covers_all && target->needs_zero_fill) {
    Open();
    ZeroFill(target);
  }
  uint64_t done = 0;
  try {
    while (done < size) {
      const uint64_t part = std::min(kTransferPart, size - done);
      UploadPart(target, offset + done, data + done, part);
      done += part;
      if (done < size) Submit();
    }
  } catch (Failure& failure) {
    // Running out of memory half-way waits for the first parts' memory, so this is a GPU that does not go on.
    if (done > 0) failure.Append("; a part of the data may have been written");
    throw;
  }
  // Only now: after a failure the whole buffer is filled before its next use.
  if (covers_all) target->needs_zero_fill = false;
}

void CommandRecorder::UploadPart(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data,
                                 uint64_t size) {
  const bool shares = size <= kUploadChunk / 4;
  const bool fits = shares && current_ && current_->upload_used > 0 &&
                    current_->upload_used + size <= current_->uploads.back().size;
  if (!fits) {
    UploadChunk chunk = AcquireUpload(shares ? kUploadChunk : size);
    Batch& batch = Open();
    batch.upload_bytes += chunk.size;
    // A chunk of its own goes in front, so that the chunk being filled stays the last one.
    batch.uploads.insert(shares ? batch.uploads.end() : batch.uploads.begin(), std::move(chunk));
    if (shares) batch.upload_used = 0;
  }
  Batch& batch = *current_;
  const UploadChunk& chunk = shares ? batch.uploads.back() : batch.uploads.front();
  const uint64_t source_offset = shares ? batch.upload_used : 0;
  if (shares) batch.upload_used = RoundUp(batch.upload_used + size, kUploadAlignment);
  std::memcpy(chunk.data + source_offset, data, static_cast<size_t>(size));
  UseForCopy(target, D3D12_RESOURCE_STATE_COPY_DEST, offset, offset + size);
  FlushBarriers();
  batch.context.list->CopyBufferRegion(target->d3d12.Get(), offset, chunk.resource.Get(), source_offset, size);
  batch.recorded = true;
  if (batch.upload_bytes >= kUploadBytesPerBatch) Submit();
}

UploadChunk CommandRecorder::AcquireUpload(uint64_t size) {
  for (;;) {
    Retire();
    if (std::optional<UploadChunk> chunk = upload_pool_.Reuse(size)) return std::move(*chunk);
    if (UploadBytesInFlight() + size <= kUploadBytesInFlight || UploadBytesInFlight() == 0) {
      try {
        return upload_pool_.Create(device_.Get(), size);
      } catch (const Failure& failure) {
        // With uploads under way there is memory that comes back.
        if (!failure.IsOutOfMemory() || UploadBytesInFlight() == 0) throw;
      }
    }
    if (current_ && current_->upload_bytes > 0) Submit();
    if (WaitForOldestBatch()) continue;
    throw Failure("ERR_OUT_OF_MEMORY",
                  std::to_string(UploadBytesInFlight() / kMiB) + " MiB of uploads wait for the GPU, which has finished " +
                      "nothing for " + std::to_string(kWaitTimeoutMs / 1000) +
                      " seconds; await idle() before writing more");
  }
}

bool CommandRecorder::WaitForOldestBatch() {
  if (in_flight_.empty()) return true;
  for (DWORD waited = 0; waited < kWaitTimeoutMs; waited += kWaitPollMs) {
    if (queue_->WaitOnThisThread(in_flight_.front().fence_value, kWaitPollMs)) return true;
    ThrowIfFailed(queue_->CheckRemoved(), "GetDeviceRemovedReason");
  }
  return false;
}

uint64_t CommandRecorder::Readback(const std::shared_ptr<Resource>& source, uint64_t offset, uint8_t* target,
                                   uint64_t size) {
  uint64_t fence_value = 0;
  for (uint64_t done = 0; done < size;) {
    const std::shared_ptr<ReadbackRing> ring = RingFor(size, std::min(size - done, kTransferPart));
    const uint64_t part_size = std::min({size - done, kTransferPart, ring->capacity()});
    const ReadbackRing::Part part = ring->Next(part_size);
    Batch& batch = Open();
    ZeroFill(source);
    UseForCopy(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 0);
    FlushBarriers();
    batch.kept_alive.push_back(ring);
    batch.readbacks.push_back({ring, part, target + done, static_cast<size_t>(part_size)});
    batch.context.list->CopyBufferRegion(ring->resource(), part.offset, source->d3d12.Get(), offset + done, part_size);
    batch.recorded = true;
    done += part_size;
    fence_value = Submit();
  }
  return fence_value;
}

std::shared_ptr<ReadbackRing> CommandRecorder::RingFor(uint64_t size, uint64_t part_size) {
  const uint64_t wanted = std::min(std::max(kSmallestRing, RoundUp(size, kMiB)), kLargestRing);
  const bool fits = ring_ && ring_->capacity() >= wanted && ring_->HasRoom(part_size);
  if (wanted * 2 > (ring_ ? ring_->capacity() : 0)) ring_use_ = UsedNow();
  if (fits || (ring_ && ring_->capacity() == kLargestRing)) return ring_;
  const uint64_t capacity = std::min(std::max(wanted, ring_ ? 2 * ring_->capacity() : 0), kLargestRing);
  try {
    ring_ = std::make_shared<ReadbackRing>(device_.Get(), capacity, counters_);
  } catch (const Failure& failure) {
    if (!failure.IsOutOfMemory()) throw;
    // A small ring serves as well, only slower.
    if (!ring_) ring_ = std::make_shared<ReadbackRing>(device_.Get(), kSmallestRing, counters_);
  }
  return ring_;
}

uint64_t CommandRecorder::Submit() {
  if (!current_ || !current_->recorded) return queue_->last_submitted();
  ID3D12GraphicsCommandList* const list = current_->context.list.Get();
  const HRESULT closed = list->Close();
  if (FAILED(closed)) {
    Abandon();
    throw CallFailure("ID3D12GraphicsCommandList::Close", closed);
  }
  current_->fence_value = queue_->last_submitted() + 1;
  std::vector<ReadbackCopy> readbacks = std::move(current_->readbacks);
  // First among those in flight: when submitting fails, the GPU may have the list nevertheless.
  in_flight_upload_bytes_ += current_->upload_bytes;
  in_flight_.push_back(std::move(*current_));
  current_.reset();
  queue_->Submit(list, std::move(readbacks));
  Retire();
  return queue_->last_submitted();
}

void CommandRecorder::Retire() {
  const uint64_t completed = queue_->CompletedByGpu();
  while (!in_flight_.empty() && in_flight_.front().fence_value <= completed) {
    Batch batch = std::move(in_flight_.front());
    in_flight_.pop_front();
    in_flight_upload_bytes_ -= batch.upload_bytes;
    GiveBack(std::move(batch));
  }
  const Clock::time_point now = Clock::now();
  for (LastUse* const use : {&ring_use_, &temporary_use_}) {
    if (use->fence_value == 0) continue;
    use->time = now;
    if (use->fence_value <= completed) use->fence_value = 0;
  }
  Trim(now - kIdleTime);
}

void CommandRecorder::Trim(Clock::time_point before) {
  upload_pool_.Trim(before);
  heap_pool_.Trim(before);
  context_pool_.Trim(before);
  if (ring_ && ring_->capacity() > kSmallestRing && ring_use_.time <= before && ring_->IsIdle()) ring_.reset();
  if (temporary_ && temporary_->capacity > kReservedTemporary && temporary_use_.time <= before) temporary_.reset();
}

void CommandRecorder::Abandon() { current_.reset(); }

CommandRecorder::Batch& CommandRecorder::Open() {
  if (!current_) {
    Retire();
    if (in_flight_.size() >= kBatchesInFlight) {
      // Work that takes this long is no mistake: after the timeout the batch is begun nevertheless.
      WaitForOldestBatch();
      Retire();
    }
    auto batch = std::make_unique<Batch>();
    batch->context = context_pool_.Acquire(device_.Get());
    current_ = std::move(batch);
    ++batch_id_;
    // A submission boundary orders all unordered access before it.
    ++epoch_;
    barriers_.clear();
    ForgetBindings();
  }
  return *current_;
}

void CommandRecorder::GiveBack(Batch batch) {
  context_pool_.Release(std::move(batch.context));
  for (DescriptorHeap& heap : batch.heaps) heap_pool_.Release(std::move(heap));
  for (UploadChunk& chunk : batch.uploads) upload_pool_.Release(std::move(chunk));
}

void CommandRecorder::Enter(const std::shared_ptr<Resource>& resource) {
  if (resource->batch == batch_id_) return;
  resource->batch = batch_id_;
  resource->state = D3D12_RESOURCE_STATE_COMMON;
  resource->read_epoch = 0;
  resource->write_epoch = 0;
  current_->kept_alive.push_back(resource);
}

void CommandRecorder::ZeroFill(const std::shared_ptr<Resource>& resource) {
  if (!resource->needs_zero_fill) return;
  if (!zeros_.resource) {
    zeros_ = CreateUploadChunk(device_.Get(), kUploadChunk, counters_);
    std::memset(zeros_.data, 0, static_cast<size_t>(zeros_.size));
  }
  UseForCopy(resource, D3D12_RESOURCE_STATE_COPY_DEST, 0, resource->capacity);
  FlushBarriers();
  for (uint64_t offset = 0; offset < resource->capacity; offset += zeros_.size) {
    const uint64_t size = std::min(zeros_.size, resource->capacity - offset);
    current_->context.list->CopyBufferRegion(resource->d3d12.Get(), offset, zeros_.resource.Get(), 0, size);
  }
  current_->recorded = true;
  resource->needs_zero_fill = false;
}

void CommandRecorder::UseForCopy(const std::shared_ptr<Resource>& resource, D3D12_RESOURCE_STATES state,
                                 uint64_t begin, uint64_t end) {
  Enter(resource);
  if (resource->state == state) {
    const bool overlaps = begin < resource->copied_end && resource->copied_begin < end;
    if (state == D3D12_RESOURCE_STATE_COPY_DEST && overlaps) {
      // Two copies into the same bytes: a round trip through COMMON puts them in order.
      AddTransition(*resource, D3D12_RESOURCE_STATE_COMMON);
      FlushBarriers();
      resource->state = D3D12_RESOURCE_STATE_COMMON;
      AddTransition(*resource, state);
      resource->state = state;
      resource->copied_begin = begin;
      resource->copied_end = end;
      return;
    }
    resource->copied_begin = std::min(resource->copied_begin, begin);
    resource->copied_end = std::max(resource->copied_end, end);
    return;
  }
  // From COMMON a buffer is promoted by its first use.
  if (resource->state != D3D12_RESOURCE_STATE_COMMON) {
    AddTransition(*resource, state);
  }
  resource->state = state;
  resource->copied_begin = begin;
  resource->copied_end = end;
}

void CommandRecorder::AddTransition(const Resource& resource, D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition.pResource = resource.d3d12.Get();
  barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
  barrier.Transition.StateBefore = resource.state;
  barrier.Transition.StateAfter = after;
  barriers_.push_back(barrier);
}

void CommandRecorder::FlushBarriers() {
  if (barriers_.empty()) return;
  current_->context.list->ResourceBarrier(static_cast<UINT>(barriers_.size()), barriers_.data());
  barriers_.clear();
}

}  // namespace ndml
