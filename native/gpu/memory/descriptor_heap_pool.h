/** Shader-visible descriptor heaps (pool.h). */
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gpu/memory/counters.h"
#include "gpu/memory/pool.h"
#include "platform/com_ptr.h"

namespace ndml {

/** The usual capacity of a descriptor heap. */
constexpr UINT kDescriptorsPerHeap = 4096;

/** A shader-visible descriptor heap that a batch fills from the front. */
struct DescriptorHeap {
  ComPtr<ID3D12DescriptorHeap> heap;
  D3D12_CPU_DESCRIPTOR_HANDLE cpu = {};
  D3D12_GPU_DESCRIPTOR_HANDLE gpu = {};
  UINT capacity = 0;
  UINT used = 0;
  CountedBytes counted;
  Clock::time_point idle_since;
};

DescriptorHeap CreateDescriptorHeap(ID3D12Device* device, UINT count);

class DescriptorHeapPool {
 public:
  /** `descriptor_size` is in bytes. */
  DescriptorHeapPool(UINT descriptor_size, std::shared_ptr<LiveCounters> counters)
      : descriptor_size_(descriptor_size), counters_(std::move(counters)) {}

  DescriptorHeap Acquire(ID3D12Device* device, UINT count);
  void Release(DescriptorHeap heap);
  void Trim(Clock::time_point before);
  uint64_t IdleBytes() const;

 private:
  UINT descriptor_size_;
  std::shared_ptr<LiveCounters> counters_;
  std::vector<DescriptorHeap> idle_;
};

}  // namespace ndml
