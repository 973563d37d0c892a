#include "gpu/record/command_context_pool.h"

#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

constexpr size_t kMaxIdleContexts = 16;
/** The reserve that trimming keeps, so that small work needs no allocations after a pause. */
constexpr size_t kReservedContexts = 2;

}  // namespace

CommandContext CommandContextPool::Acquire(ID3D12Device* device) {
  return prepared_.list ? std::exchange(prepared_, {}) : Open(device);
}

void CommandContextPool::Prepare(ID3D12Device* device) {
  if (prepared_.list) return;
  try {
    prepared_ = Open(device);
  } catch (const Failure&) {
    // Acquire tries again, and reports the failure.
  }
}

CommandContext CommandContextPool::Open(ID3D12Device* device) {
  if (idle_.empty()) return Create(device);
  CommandContext context = TakeOut(idle_, idle_.size() - 1);
  ThrowIfFailed(context.allocator->Reset(), "ID3D12CommandAllocator::Reset");
  ThrowIfFailed(context.list->Reset(context.allocator.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
  return context;
}

CommandContext CommandContextPool::Create(ID3D12Device* device) const {
  CommandContext context;
  ThrowIfFailed(device->CreateCommandAllocator(type_, Iid<ID3D12CommandAllocator>::value, context.allocator.Put()),
                "ID3D12Device::CreateCommandAllocator");
  ThrowIfFailed(device->CreateCommandList(0, type_, context.allocator.Get(), nullptr,
                                          Iid<ID3D12GraphicsCommandList>::value, context.list.Put()),
                "ID3D12Device::CreateCommandList");
  return context;
}

void CommandContextPool::Release(CommandContext context) {
  if (idle_.size() >= kMaxIdleContexts) return;
  context.idle_since = Clock::now();
  idle_.push_back(std::move(context));
}

void CommandContextPool::Trim(Clock::time_point before) { TrimTo(idle_, kReservedContexts, before); }

}  // namespace ndml
