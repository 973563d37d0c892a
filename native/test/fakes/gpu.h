/**
 * A fake Direct3D 12 device, whose GPU runs only when a test says so. Command lists store their commands. When the GPU
 * runs a list, it copies and changes bytes, and fails the test if results on a real GPU could be wrong: accesses that no
 * barrier orders, memory that was freed or overwritten too early, a list that is executed again before it has finished.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpu/memory/resource.h"
#include "test/fakes/partial.h"

namespace ndml::test {

class FakeResource final : public PartialResource {
 public:
  FakeResource(D3D12_HEAP_TYPE its_heap, uint64_t size) : heap(its_heap), bytes(static_cast<size_t>(size)) {}

  HRESULT STDMETHODCALLTYPE Map(UINT, const D3D12_RANGE*, void** data) override {
    *data = bytes.data();
    return S_OK;
  }

  /** The resource's name in the log of a list. */
  std::string name = "?";
  const D3D12_HEAP_TYPE heap;
  std::vector<uint8_t> bytes;
};

enum class Role { kInput, kOutput, kTemporary, kPersistent };

/** A range that a dispatch binds. */
struct Descriptor {
  FakeResource* resource;
  uint64_t offset;
  uint64_t size;
  Role role;
};

class FakeDescriptorHeap final : public PartialDescriptorHeap {
 public:
  explicit FakeDescriptorHeap(UINT count) : slots(count) {}

#if defined(_MSC_VER)
  D3D12_CPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetCPUDescriptorHandleForHeapStart() override {
    return {reinterpret_cast<SIZE_T>(slots.data())};
  }
  D3D12_GPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetGPUDescriptorHandleForHeapStart() override {
    return {reinterpret_cast<SIZE_T>(slots.data())};
  }
#else
  D3D12_CPU_DESCRIPTOR_HANDLE* STDMETHODCALLTYPE
  GetCPUDescriptorHandleForHeapStart(D3D12_CPU_DESCRIPTOR_HANDLE* result) override {
    result->ptr = reinterpret_cast<SIZE_T>(slots.data());
    return result;
  }
  D3D12_GPU_DESCRIPTOR_HANDLE* STDMETHODCALLTYPE
  GetGPUDescriptorHandleForHeapStart(D3D12_GPU_DESCRIPTOR_HANDLE* result) override {
    result->ptr = reinterpret_cast<SIZE_T>(slots.data());
    return result;
  }
#endif

  std::vector<Descriptor> slots;
};

class FakeFence final : public FakeObject<ID3D12Fence> {
 public:
  UINT64 STDMETHODCALLTYPE GetCompletedValue() override { return value_; }
  HRESULT STDMETHODCALLTYPE SetEventOnCompletion(UINT64 value, HANDLE event) override;
  HRESULT STDMETHODCALLTYPE Signal(UINT64 value) override;

 private:
  std::atomic<uint64_t> value_{0};
  std::mutex mutex_;
  std::vector<std::pair<uint64_t, HANDLE>> waits_;
};

/** The commands of a list, as an allocator holds them. */
struct RecordedCommands {
  /** The state of the buffers while the GPU runs the list. */
  class Run;

  std::vector<std::function<void(Run&)>> commands;
  bool is_closed = false;
  /** True from its submission until the GPU has run it. */
  bool is_running = false;
  std::weak_ptr<const void> allocator;
};

class FakeAllocator final : public FakeObject<ID3D12CommandAllocator> {
 public:
  HRESULT STDMETHODCALLTYPE Reset() override;

  std::vector<std::weak_ptr<RecordedCommands>> recordings;
};

class FakeList final : public PartialList {
 public:
  explicit FakeList(FakeAllocator* allocator) { Reset(allocator, nullptr); }

  D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE GetType() override { return D3D12_COMMAND_LIST_TYPE_COMPUTE; }
  HRESULT STDMETHODCALLTYPE Close() override;
  HRESULT STDMETHODCALLTYPE Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState*) override;
  void STDMETHODCALLTYPE CopyBufferRegion(ID3D12Resource* target, UINT64 target_offset, ID3D12Resource* source,
                                          UINT64 source_offset, UINT64 size) override;
  /** The fake texture has the bytes of its rows, one after the other, as the buffer has them from its offset on. */
  void STDMETHODCALLTYPE CopyTextureRegion(const D3D12_TEXTURE_COPY_LOCATION* target, UINT, UINT, UINT,
                                           const D3D12_TEXTURE_COPY_LOCATION* source, const D3D12_BOX*) override;
  void STDMETHODCALLTYPE ResourceBarrier(UINT count, const D3D12_RESOURCE_BARRIER* barriers) override;
  void STDMETHODCALLTYPE SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) override;

  /** Sets each byte of an output to 1 plus the sum of the inputs' bytes there, and fills the temporary resource with 0xEE. */
  void RecordDispatch(const std::vector<Descriptor>& bound);
  /** Also fails if `slots` are outside the heap that is set, or have changed when the GPU reads them. */
  void RecordDispatch(const Descriptor* slots, size_t count);

  /** What was recorded, in words, such as `dispatch; uav; a: COPY_DEST > UNORDERED_ACCESS; copy a > b`. */
  const std::string& log() const { return log_; }
  const std::shared_ptr<RecordedCommands>& recording() const { return recording_; }

  /** If it is a failure, the next Close returns it. */
  HRESULT next_close = S_OK;

 private:
  void Record(const std::string& words, std::function<void(RecordedCommands::Run&)> command);

  std::shared_ptr<RecordedCommands> recording_;
  std::string log_;
  FakeDescriptorHeap* heap_ = nullptr;
};

class FakeQueue final : public PartialQueue {
 public:
  void STDMETHODCALLTYPE ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) override;
  HRESULT STDMETHODCALLTYPE Signal(ID3D12Fence* fence, UINT64 value) override;
  HRESULT STDMETHODCALLTYPE Wait(ID3D12Fence* fence, UINT64 value) override;
  HRESULT STDMETHODCALLTYPE GetTimestampFrequency(UINT64*) override { return E_NOTIMPL; }

  /** Runs all submitted work, or up to a wait for a fence that is not signalled. */
  void Run();
  /** Runs up to the next signal. */
  void RunSubmission();
  bool IsIdle();

  /** What Signal returns. Unless it is S_OK, the fence is not signalled. */
  std::atomic<HRESULT> signal_result{S_OK};
  /** Those with which it was created. */
  D3D12_COMMAND_QUEUE_FLAGS flags = D3D12_COMMAND_QUEUE_FLAG_NONE;

 private:
  enum class Step { kDone, kSignalled, kWaits };

  void Add(std::function<Step()> work);
  /** Returns kWaits if nothing was done. */
  Step RunNext();

  /** Work is added on any thread. */
  std::mutex mutex_;
  /** An element returns kWaits while it cannot be done. */
  std::deque<std::function<Step()>> work_;
};

class FakeDevice final : public PartialDevice {
 public:
  HRESULT STDMETHODCALLTYPE CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC*, REFIID, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE, REFIID, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateCommandList(UINT, D3D12_COMMAND_LIST_TYPE, ID3D12CommandAllocator* allocator,
                                              ID3D12PipelineState*, REFIID, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID,
                                                 void** result) override;
  UINT STDMETHODCALLTYPE GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE) override {
    return UINT{sizeof(Descriptor)};
  }
  HRESULT STDMETHODCALLTYPE CreateCommittedResource(const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS,
                                                    const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES,
                                                    const D3D12_CLEAR_VALUE*, REFIID, void** result) override;
  HRESULT STDMETHODCALLTYPE CreateFence(UINT64, D3D12_FENCE_FLAGS, REFIID, void** result) override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() override { return removed_reason; }

  /** The list and the queue that were created last. */
  ComPtr<FakeList> last_list;
  ComPtr<FakeQueue> queue;
  std::atomic<HRESULT> removed_reason{S_OK};
  /** If true, creating a buffer, a descriptor heap or an allocator returns E_OUTOFMEMORY. */
  bool is_out_of_memory = false;
  /** How many objects of each kind were created. */
  int buffers = 0;
  int heaps = 0;
  int lists = 0;
};

inline FakeResource& FakeOf(const std::shared_ptr<Resource>& resource) {
  return *static_cast<FakeResource*>(resource->d3d12.Get());
}

/** A buffer in default-heap memory. */
std::shared_ptr<Resource> CreateNamed(FakeDevice* device, const std::string& name, uint64_t size);

}  // namespace ndml::test
