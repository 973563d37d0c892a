#include "gpu/work/gpu_work.h"

#include <utility>

#include "gpu/memory/recorder_limits.h"

namespace ndml {

GpuWork::GpuWork(ComPtr<ID3D12Device> device, ComPtr<IDMLDevice> dml, CommandQueue* queue,
                 const std::shared_ptr<LiveCounters>& counters)
    : device_(std::move(device)),
      dml_(std::move(dml)),
      queue_(queue),
      tables_(device_.Get(), dml_.Get(), counters),
      upload_pool_(kMaxUploadBytes, counters),
      batches_(device_.Get(), queue, &tables_, &upload_pool_),
      temporary_(device_.Get(), queue, counters),
      copies_(device_.Get(), &batches_, counters),
      later_reads_(device_.Get(), &copies_, counters),
      uploads_(device_.Get(), &batches_, &copies_, &later_reads_, &upload_pool_),
      readbacks_(device_.Get(), queue, &batches_, &copies_, counters),
      recorder_(dml_.Get(), &batches_, &tables_, &temporary_, &copies_, &later_reads_),
      recordings_(queue, &batches_, &tables_, &temporary_, &copies_, &later_reads_, &recorder_),
      profiler_(device_.Get(), queue, &batches_, &recorder_, counters),
      spare_buffers_(counters) {}

void GpuWork::Retire() {
  const uint64_t completed = queue_->CompletedByGpu();
  const Clock::time_point now = Clock::now();
  batches_.Retire();
  recordings_.Retire(completed);
  readbacks_.Retire(completed, now);
  temporary_.Retire(completed, now);
  spare_buffers_.Trim(now - kIdleTime);
}

void GpuWork::FreeUnused() {
  constexpr Clock::time_point all = Clock::time_point::max();
  batches_.Trim(all);
  readbacks_.Trim(all);
  temporary_.Trim(all);
  spare_buffers_.Trim(all);
}

void GpuWork::PrepareNext() {
  if (recordings_.IsIdle()) batches_.PrepareNext();
}

IdleMemory GpuWork::Idle() {
  Retire();
  return {temporary_.IdleBytes() + spare_buffers_.bytes(), tables_.IdleBytes()};
}

}  // namespace ndml
