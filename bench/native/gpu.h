/** A DirectML device and a Direct3D 12 compute queue, with one reused command list and a fence. */
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "platform/com_ptr.h"

namespace bench {

using ndml::ComPtr;

/** Throws std::runtime_error with the name of the call if the result is a failure. */
void Check(HRESULT result, const char* call);

/** The same as kMaxDispatchesPerBatch of the package, so that both sides submit equally often. */
constexpr unsigned kDispatchesPerList = 256;

/** Returns how long the work takes. */
template <typename Work>
double Microseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/** A tensor of 32-bit elements. `sizes` must live as long as the description. */
DML_BUFFER_TENSOR_DESC Tensor(DML_TENSOR_DATA_TYPE type, const UINT (&sizes)[2]);

/** Describes the binding of a buffer, which must live as long as the description. A null buffer is bound as NONE. */
DML_BINDING_DESC Bound(const DML_BUFFER_BINDING& buffer);

/** From one state to another, of the whole resource. */
D3D12_RESOURCE_BARRIER Transition(ID3D12Resource* resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after);

enum class Memory { kDevice, kUpload, kReadback };

/** A command list and its memory. */
struct Commands {
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
};

class Gpu {
 public:
  /** `adapter_luid` is "<high>-<low>" in hexadecimal digits. */
  Gpu(const std::string& directml_path, const std::string& adapter_luid);

  /** If `mapped` is given, maps upload or readback memory to `*mapped`. It stays mapped. */
  ComPtr<ID3D12Resource> CreateBuffer(uint64_t size, Memory memory, void** mapped = nullptr);

  /** Returns a shader-visible heap of at least one descriptor. */
  ComPtr<ID3D12DescriptorHeap> CreateDescriptorHeap(UINT descriptors);

  /** Returns a table over a heap's descriptors from `first` on. Binds the start of the temporary memory if it needs any. */
  ComPtr<IDMLBindingTable> CreateBindingTable(IDMLDispatchable* dispatchable, ID3D12DescriptorHeap* heap, UINT first,
                                              ID3D12Resource* temporary);

  /** Returns an open command list with its allocator. */
  Commands CreateCommands();
  /** Resets the command list. Its previous work must be finished. */
  ID3D12GraphicsCommandList* Begin();
  /** Submits the command list and waits for it to finish. */
  void Finish();
  /** Submits a closed command list and waits for it to finish. */
  void Execute(ID3D12CommandList* list);
  /** Submits a closed command list. */
  void Submit(ID3D12CommandList* list);
  /** Waits for everything that was submitted. */
  void Wait();

  ID3D12Device* device() const { return device_.Get(); }
  IDMLDevice* dml() const { return dml_.Get(); }
  IDMLCommandRecorder* recorder() const { return recorder_.Get(); }

 private:
  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<IDMLCommandRecorder> recorder_;
  ComPtr<ID3D12CommandQueue> queue_;
  Commands commands_;
  ComPtr<ID3D12Fence> fence_;
  ndml::UniqueHandle finished_;
  uint64_t fence_value_ = 0;
};

}  // namespace bench
