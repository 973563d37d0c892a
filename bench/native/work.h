/** What is measured: a ScatterND and its buffers, ready to be dispatched, and transfers through staging memory. */
#pragma once

#include <memory>
#include <vector>

#include "gpu.h"

namespace bench {

/**
 * A float32 ScatterND with one index per update. Two buffers take turns as input and output, so that in a batch each
 * dispatch depends on the one before; both directions have their binding table made in advance.
 */
class Scatter {
 public:
  Scatter(Gpu& gpu, uint32_t elements, uint32_t updates);
  /** Records `count` dispatches in one command list, submits it and waits. */
  void Run(unsigned count);
  /** What a run of `count` dispatches has computed. */
  std::vector<uint32_t> Result(unsigned count);

 private:
  void Compile(uint32_t elements, uint32_t updates);
  void Initialize();
  void Bind();

  Gpu& gpu_;
  uint64_t element_bytes_;
  uint64_t update_bytes_;
  ComPtr<ID3D12Resource> values_[2];
  ComPtr<ID3D12Resource> indices_;
  ComPtr<ID3D12Resource> updates_;
  ComPtr<ID3D12Resource> temporary_;
  ComPtr<ID3D12Resource> persistent_;
  ComPtr<IDMLCompiledOperator> operator_;
  ComPtr<ID3D12DescriptorHeap> heap_;
  ComPtr<IDMLBindingTable> tables_[2];
};

/** A buffer in device memory with staging memory of its size, mapped once. */
class Transfer {
 public:
  Transfer(Gpu& gpu, uint64_t size);
  void Upload(const void* data);
  /** Hands out new memory every time, as the package's `read` does: not cleared before it is filled. */
  std::unique_ptr<uint32_t[]> Readback();

 private:
  Gpu& gpu_;
  uint64_t size_;
  void* upload_data_ = nullptr;
  void* readback_data_ = nullptr;
  ComPtr<ID3D12Resource> buffer_;
  ComPtr<ID3D12Resource> upload_;
  ComPtr<ID3D12Resource> readback_;
};

}  // namespace bench
