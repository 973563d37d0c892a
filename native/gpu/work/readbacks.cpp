#include "gpu/work/readbacks.h"

#include <algorithm>

#include "gpu/memory/recorder_limits.h"
#include "platform/failure.h"

namespace ndml {

WaitFor Readbacks::TryRead(ReadRequest* read, const Waited& waited) {
  auto& [source, offset, target, size, done, fence_value] = *read;
  while (done < size) {
    if (const WaitFor value = batches_->TryOpen(waited)) return value;
    const std::shared_ptr<ReadbackRing> ring = RingFor(target, size, std::min(size - done, kTransferPartBytes));
    const uint64_t part_size = std::min({size - done, kTransferPartBytes, ring->capacity()});
    const ReadbackRing::Part part = ring->Next(part_size);
    Batch& batch = batches_->Open();
    copies_->ZeroFill(source);
    batch.hazards.UseForCopy(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 0);
    batch.hazards.Flush();
    batch.kept_alive.push_back(ring);
    batch.readbacks.push_back({ring, part, target, static_cast<size_t>(done), static_cast<size_t>(part_size)});
    batch.list()->CopyBufferRegion(ring->resource(), part.offset, source->d3d12.Get(), offset + done, part_size);
    batch.MarkCommand();
    done += part_size;
    fence_value = batches_->Submit();
  }
  return std::nullopt;
}

std::shared_ptr<ReadbackRing> Readbacks::RingFor(const ReadTarget& target, uint64_t size, uint64_t part_size) {
  const bool is_copied_by_script = target.memory == nullptr;
  auto& [ring, use] = rings_[is_copied_by_script ? 1 : 0];
  const uint64_t most = is_copied_by_script ? kMaxScriptRingBytes : kMaxWaiterRingBytes;
  const uint64_t wanted = std::min(std::max(kMinRingBytes, RoundUp(size, kMiB)), most);
  const bool fits = ring && ring->capacity() >= wanted && ring->HasRoom(part_size);
  if (wanted * 2 > (ring ? ring->capacity() : 0)) use.Use(queue_->last_submitted() + 1);
  if (fits || (ring && ring->capacity() == most)) return ring;
  const uint64_t capacity = std::min(std::max(wanted, ring ? 2 * ring->capacity() : 0), most);
  try {
    ring = std::make_shared<ReadbackRing>(device_, capacity, counters_);
  } catch (const Failure& failure) {
    if (!failure.IsOutOfMemory()) throw;
    // A small ring works too, only slower.
    if (!ring) ring = std::make_shared<ReadbackRing>(device_, kMinRingBytes, counters_);
  }
  return ring;
}

void Readbacks::Retire(uint64_t completed, Clock::time_point now) {
  for (Ring& ring : rings_) ring.use.Update(completed, now);
  Trim(now - kIdleTime);
}

void Readbacks::Trim(Clock::time_point before) {
  for (auto& [ring, use] : rings_) {
    if (ring && ring->capacity() > kMinRingBytes && use.IsOver(before) && ring->IsIdle()) ring.reset();
  }
}

}  // namespace ndml
