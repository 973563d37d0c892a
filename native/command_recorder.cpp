#include "command_recorder.h"

#include <algorithm>
#include <cstring>

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
constexpr uint64_t kUploadBytesInFlight = 1024 * kMiB;
constexpr uint64_t kIdleStaging = 128 * kMiB;
constexpr uint64_t kIdleTemporary = 64 * kMiB;
/** Room between small uploads, so that each starts aligned. */
constexpr uint64_t kUploadAlignment = 16;

}  // namespace

CommandRecorder::CommandRecorder(ComPtr<ID3D12Device> device, ComPtr<IDMLDevice> dml, CommandQueue* queue,
                                 std::shared_ptr<LiveCounters> counters)
    : device_(std::move(device)),
      dml_(std::move(dml)),
      queue_(queue),
      descriptor_size_(device_->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV)),
      upload_pool_(D3D12_HEAP_TYPE_UPLOAD, kIdleStaging, counters),
      readback_pool_(D3D12_HEAP_TYPE_READBACK, kIdleStaging, counters),
      temporary_pool_(kIdleTemporary, counters) {
  ThrowIfFailed(dml_->CreateCommandRecorder(Iid<IDMLCommandRecorder>::value, dml_recorder_.Put()),
                "IDMLDevice::CreateCommandRecorder");
}

CommandRecorder::~CommandRecorder() = default;

void CommandRecorder::Upload(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data,
                             uint64_t size) {
  if (offset == 0 && size == target->capacity) target->needs_zero_fill = false;
  for (uint64_t done = 0; done < size; done += kTransferPart) {
    UploadPart(target, offset + done, data + done, std::min(kTransferPart, size - done));
    if (done + kTransferPart < size) Submit();
  }
}

void CommandRecorder::UploadPart(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data,
                                 uint64_t size) {
  while (in_flight_upload_bytes_ + size > kUploadBytesInFlight && !in_flight_.empty()) {
    if (!queue_->WaitOnThisThread(in_flight_.front().fence_value, INFINITE)) break;
    Retire();
  }
  Batch& batch = Open();
  uint64_t source_offset = 0;
  if (size > kUploadChunk / 4) {
    // In front, so that the chunk being filled stays the last one.
    batch.uploads.insert(batch.uploads.begin(), upload_pool_.Acquire(device_.Get(), size));
  } else {
    const bool fits = batch.upload_used > 0 && batch.upload_used + size <= batch.uploads.back().size;
    if (!fits) {
      batch.uploads.push_back(upload_pool_.Acquire(device_.Get(), kUploadChunk));
      batch.upload_used = 0;
    }
    source_offset = batch.upload_used;
    batch.upload_used = RoundUp(batch.upload_used + size, kUploadAlignment);
  }
  const StagingChunk& chunk = size > kUploadChunk / 4 ? batch.uploads.front() : batch.uploads.back();
  std::memcpy(chunk.data + source_offset, data, static_cast<size_t>(size));
  ZeroFill(target);
  UseForCopy(target, D3D12_RESOURCE_STATE_COPY_DEST, offset, offset + size);
  FlushBarriers();
  batch.context.list->CopyBufferRegion(target->d3d12.Get(), offset, chunk.resource.Get(), source_offset, size);
  batch.recorded = true;
  batch.upload_bytes += size;
  if (batch.upload_bytes >= kUploadBytesPerBatch) Submit();
}

PendingReadback CommandRecorder::Readback(const std::shared_ptr<Resource>& source, uint64_t offset, uint8_t* target,
                                          uint64_t size) {
  PendingReadback readback;
  readback.chunk = readback_pool_.Acquire(device_.Get(), size);
  for (uint64_t done = 0; done < size; done += kTransferPart) {
    const uint64_t part = std::min(kTransferPart, size - done);
    Batch& batch = Open();
    ZeroFill(source);
    UseForCopy(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 0);
    FlushBarriers();
    batch.context.list->CopyBufferRegion(readback.chunk.resource.Get(), done, source->d3d12.Get(), offset + done,
                                         part);
    batch.recorded = true;
    batch.kept_alive_com.emplace_back(readback.chunk.resource.Get());
    batch.readbacks.push_back({readback.chunk.data + done, target + done, static_cast<size_t>(part)});
    readback.fence_value = Submit();
  }
  return readback;
}

uint64_t CommandRecorder::Submit() {
  if (!current_ || !current_->recorded) return queue_->last_submitted();
  const std::unique_ptr<Batch> batch = std::move(current_);
  ThrowIfFailed(batch->context.list->Close(), "ID3D12GraphicsCommandList::Close");
  batch->fence_value = queue_->Submit(batch->context.list.Get(), std::move(batch->readbacks));
  in_flight_upload_bytes_ += batch->upload_bytes;
  in_flight_.push_back(std::move(*batch));
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
}

void CommandRecorder::Abandon() { current_.reset(); }

CommandRecorder::Batch& CommandRecorder::Open() {
  if (!current_) {
    Retire();
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
  for (StagingChunk& chunk : batch.uploads) upload_pool_.Release(std::move(chunk));
  for (std::shared_ptr<Resource>& resource : batch.temporaries) temporary_pool_.Release(std::move(resource));
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
    zeros_ = upload_pool_.Acquire(device_.Get(), kUploadChunk);
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
