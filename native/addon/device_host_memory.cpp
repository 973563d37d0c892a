/** The part of the device host that allocates memory, counts it, and collects garbage when memory runs out. */
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "addon/array_buffer.h"
#include "addon/device_host.h"
#include "addon/own_properties.h"

namespace ndml {

namespace {

/** How long a failed allocation waits for the GPU before it is tried again. */
constexpr DWORD kReclaimTimeoutMs = 1000;
/**
 * FreeCollected scans every child, so it does not run at every allocation. It runs once the bytes allocated since the
 * last scan reach this or a quarter of the children's bytes, whichever is more, or the allocations this or half the
 * children.
 */
constexpr uint64_t kBytesBetweenScans = 32 * 1024 * 1024;
constexpr size_t kAllocationsBetweenScans = 256;
/** A failed allocation is not tried again if it is more than 64 times as large as all of the device's buffers. */
constexpr uint64_t kMaxReclaimFactor = 64;
/** More external memory than any engine tolerates: reporting it makes the engine collect garbage at once. */
constexpr int64_t kMemoryPressure = int64_t{1} << 40;
/** Changes of the pooled memory smaller than this are not reported. */
constexpr int64_t kReportedStep = 1024 * 1024;

/** Tells the engine that so many bytes outside its heap live and die with its objects. */
void AdjustExternalMemory(napi_env env, int64_t change) {
  int64_t total = 0;
  if (change != 0) napi_adjust_external_memory(env, change, &total);
}

int64_t PooledBytes(const LiveCounters& counters) {
  return counters.staging_bytes + counters.temporary_bytes + counters.descriptor_bytes;
}

}  // namespace

template <typename Body>
auto DeviceHost::RunWithReclaim(uint64_t size, Body&& body) -> decltype(body()) {
  return Run([&] {
    try {
      return body();
    } catch (const Failure& failure) {
      // Garbage collection is slow, and frees at most what the objects hold.
      if (!failure.IsOutOfMemory() || child_bytes_ < size / kMaxReclaimFactor) throw;
    }
    Reclaim();
    return body();
  });
}

std::shared_ptr<Resource> DeviceHost::Allocate(uint64_t size) {
  allocated_bytes_ += size;
  ++allocated_count_;
  if (allocated_bytes_ >= std::max(kBytesBetweenScans, child_bytes_ / 4) ||
      allocated_count_ >= std::max(kAllocationsBetweenScans, children_.size() / 2)) {
    FreeCollected();
  }
  return RunWithReclaim(size, [&] { return CreateResource(gpu_.d3d12.Get(), size); });
}

void DeviceHost::Reserve(const DML_BINDING_PROPERTIES& properties) {
  RunWithReclaim(properties.TemporaryResourceSize, [&] {
    Await([&](const Waited& waited) { return work_->batches().TryOpen(waited); });
    work_->recorder().Reserve(properties);
  });
}

void DeviceHost::Upload(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data, uint64_t size) {
  UploadRequest upload = {target, offset, data, size};
  Run([&] {
    try {
      Await([&](const Waited& waited) { return work_->uploads().TryUpload(&upload, waited); });
    } catch (Failure& failure) {
      // If memory runs out half-way, the upload waits for the memory of earlier parts. So the GPU has stopped working.
      if (upload.done > 0) failure.Append("; a part of the data may have been written");
      throw;
    }
  });
}

void DeviceHost::Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset,
                      const std::shared_ptr<Resource>& target, uint64_t target_offset, uint64_t size) {
  Run([&] {
    Await([&](const Waited& waited) { return work_->batches().TryOpen(waited); });
    work_->copies().Copy(source, source_offset, target, target_offset, size);
  });
}

Napi::ArrayBuffer DeviceHost::AllocateArrayBuffer(uint64_t size) {
  return RunWithReclaim(size, [&] { return NewArrayBuffer(env_, size); });
}

void DeviceHost::Replay(const std::shared_ptr<Recording>& recording) {
  if (recording->commands.empty()) return;
  RunWithReclaim(0, [&] {
    Await([&](const Waited& waited) { return work_->recordings().TryCopyOverwritten(*recording, waited); });
  });
  // Only the recording is tried again. What is submitted may be executed, or lost, although submitting fails.
  Run([&] { work_->Submit(); });
  RecordedList* list = nullptr;
  RunWithReclaim(0, [&] {
    Await([&](const Waited& waited) { return work_->recordings().TryPrepare(*recording, waited, &list); });
  });
  Run([&] { work_->recordings().Replay(recording, *list); });
}

void DeviceHost::AddChild(DeviceChild* child, uint64_t bytes) {
  children_.insert(child);
  child_bytes_ += bytes;
  AdjustExternalMemory(env_, static_cast<int64_t>(bytes));
}

void DeviceHost::RemoveChild(DeviceChild* child, uint64_t bytes) {
  children_.erase(child);
  child_bytes_ -= bytes;
  AdjustExternalMemory(env_, -static_cast<int64_t>(bytes));
}

void DeviceHost::ReportPooled() {
  const int64_t pooled = closed_ ? 0 : PooledBytes(*counters_);
  const int64_t change = pooled - reported_bytes_;
  if (std::abs(change) < kReportedStep && !closed_) return;
  reported_bytes_ = pooled;
  AdjustExternalMemory(env_, change);
}

Napi::Object DeviceHost::Memory() {
  const IdleMemory idle = work_->Idle();
  const auto number = [&](int64_t bytes) { return Napi::Number::New(env_, static_cast<double>(bytes)); };
  const auto pair = [&](const char* first, int64_t first_bytes, const char* second, int64_t second_bytes) {
    const Napi::Object object = Napi::Object::New(env_);
    DefineOwn(object, first, number(first_bytes));
    DefineOwn(object, second, number(second_bytes));
    return object;
  };
  const auto pool = [&](int64_t all, int64_t unused) { return pair("inUse", all - unused, "idle", unused); };
  const auto segment = [&](const VideoMemorySegment& memory) {
    return pair("budget", static_cast<int64_t>(memory.budget), "usage", static_cast<int64_t>(memory.usage));
  };
  const Napi::Object memory = Napi::Object::New(env_);
  if (const std::optional<VideoMemoryInfo> info = video_memory_->Query()) {
    const Napi::Object adapter = Napi::Object::New(env_);
    DefineOwn(adapter, "local", segment(info->local));
    DefineOwn(adapter, "nonLocal", segment(info->non_local));
    DefineOwn(memory, "adapter", adapter);
  } else {
    DefineOwn(memory, "adapter", env_.Null());
  }
  DefineOwn(memory, "buffers", number(counters_->buffer_bytes));
  DefineOwn(memory, "persistent", number(counters_->persistent_bytes));
  DefineOwn(memory, "temporary", pool(counters_->temporary_bytes, static_cast<int64_t>(idle.temporary)));
  DefineOwn(memory, "staging", pool(counters_->staging_bytes, counters_->staging_bytes - counters_->bytes_in_flight));
  DefineOwn(memory, "descriptors", pool(counters_->descriptor_bytes, static_cast<int64_t>(idle.descriptors)));
  return memory;
}

void DeviceHost::SetBudgetCallback(Napi::Function callback) {
  RequireOpen();
  if (!video_memory_->IsWatched()) Run([&] { video_memory_->Watch([this] { Notify(); }); });
  budget_callback_ = Napi::Weak(callback);
}

bool DeviceHost::TakeBudgetNotice() {
  if (lost_ || closing_ || !video_memory_->TakeShrinking()) return false;
  work_->FreeUnused();
  return true;
}

void DeviceHost::FreeCollected() {
  allocated_bytes_ = 0;
  allocated_count_ = 0;
  const Napi::HandleScope scope(env_);
  std::vector<DeviceChild*> collected;
  std::copy_if(children_.begin(), children_.end(), std::back_inserter(collected),
               [](DeviceChild* child) { return child->IsCollected(); });
  for (DeviceChild* child : collected) child->ReleaseNative();
}

void DeviceHost::Reclaim() {
  // Twice, because a collection that is already under way keeps the objects created since it began.
  for (const int64_t change : {kMemoryPressure, -kMemoryPressure, kMemoryPressure, -kMemoryPressure}) {
    AdjustExternalMemory(env_, change);
  }
  FreeCollected();
  const uint64_t submitted = work_->Submit();
  queue_->WaitOnThisThread(submitted, kReclaimTimeoutMs);
  work_->Retire();
  work_->FreeUnused();
}

}  // namespace ndml
