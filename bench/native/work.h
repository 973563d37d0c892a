/** The measured work: dispatches of a ScatterND, and transfers through staging memory. */
#pragma once

#include <memory>
#include <vector>

#include "gpu.h"

namespace bench {

/**
 * A float32 ScatterND with one index per update. Two buffers alternate as input and output, so that each dispatch of a
 * batch depends on the previous one. The binding tables of both directions are created in advance.
 */
class Scatter {
 public:
  Scatter(Gpu& gpu, uint32_t elements, uint32_t updates);
  /** Records `count` dispatches in lists of `kDispatchesPerList`, submits each list, and waits. */
  void Run(unsigned count);
  /** Records `count` dispatches in one list, submits it and waits. */
  void RunInOneList(unsigned count);
  /** Like `RunInOneList`, but records the command list in the first call only. Later calls execute it again. */
  void Replay(unsigned count);
  /** Returns the result of a run of `count` dispatches, as 32-bit words. */
  std::vector<uint32_t> Result(unsigned count);

 private:
  void Compile(uint32_t elements, uint32_t updates);
  void Initialize();
  void Bind();
  /** Records `count` dispatches, beginning with number `first`. */
  void Record(ID3D12GraphicsCommandList* list, unsigned first, unsigned count);

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
  /** The lists of Run. */
  std::vector<Commands> batches_;
  /** The list of Replay. */
  Commands recorded_;
};

/** A buffer in device memory, and mapped staging memory of the same size. */
class Transfer {
 public:
  Transfer(Gpu& gpu, uint64_t size);
  void Upload(const void* data);
  /** Returns new memory every time, like the package's `read`. It is not zeroed before it is filled. */
  std::unique_ptr<uint32_t[]> Readback();
  void ReadInto(void* data);

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
