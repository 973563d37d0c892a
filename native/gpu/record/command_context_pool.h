/** Command lists with their allocators (pool.h). */
#pragma once

#include <vector>

#include "gpu/memory/pool.h"
#include "platform/com_ptr.h"

namespace ndml {

struct CommandContext {
  ComPtr<ID3D12CommandAllocator> allocator;
  /** Acquire returns it open for recording. */
  ComPtr<ID3D12GraphicsCommandList> list;
  Clock::time_point idle_since;
};

class CommandContextPool {
 public:
  explicit CommandContextPool(D3D12_COMMAND_LIST_TYPE type) : type_(type) {}
  CommandContext Acquire(ID3D12Device* device);
  /**
   * Returns a new list with a new allocator, open for recording. Use it for a list that is executed many times: a used
   * allocator keeps the memory of its largest list, and may scatter the commands in it, which slows down each execution.
   */
  CommandContext Create(ID3D12Device* device) const;
  /** Opens a list in advance, so that the next Acquire is faster. Ignores failures. */
  void Prepare(ID3D12Device* device);
  bool IsPrepared() const { return prepared_.list.Get() != nullptr; }
  void Release(CommandContext context);
  void Trim(Clock::time_point before);

 private:
  CommandContext Open(ID3D12Device* device);

  D3D12_COMMAND_LIST_TYPE type_;
  /** Open for recording. Has no list until Prepare is called. */
  CommandContext prepared_;
  std::vector<CommandContext> idle_;
};

}  // namespace ndml
