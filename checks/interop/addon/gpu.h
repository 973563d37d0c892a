/** A device of the addon's own, or node-directml's, with a queue of the addon's own. */
#pragma once

#include <cstdint>

#include "platform/com_ptr.h"

namespace interop {

using ndml::ComPtr;
using ndml::Iid;

/** Throws a std::runtime_error. */
void Check(HRESULT result, const char* call);

ComPtr<ID3D12Resource> CreateBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, uint64_t size, bool unordered,
                                    D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE);

/** Rows of texels. */
struct Rows {
  DXGI_FORMAT format;
  uint32_t width;
  uint32_t height;
  uint32_t bytes_per_texel;

  uint32_t Bytes() const { return width * bytes_per_texel; }
  uint32_t Pitch() const { return (Bytes() + 255) / 256 * 256; }
};

Rows RowsOf(ID3D12Resource* texture);

/** Copies on a queue of its own. Each method waits until the GPU is done. */
class Queue {
 public:
  explicit Queue(ComPtr<ID3D12Device> device);

  ID3D12Device* device() const { return device_.Get(); }
  /** `data` has packed rows. */
  void WriteTexture(ID3D12Resource* texture, const uint8_t* data);
  void ReadTexture(ID3D12Resource* texture, uint8_t* data);
  void WriteBuffer(ID3D12Resource* buffer, uint64_t offset, const uint8_t* data, uint64_t size);
  void ReadBuffer(ID3D12Resource* buffer, uint64_t offset, uint8_t* data, uint64_t size);

 private:
  void Begin();
  void Execute();
  /** The staging memory, of at least `size` bytes. */
  ID3D12Resource* Staging(D3D12_HEAP_TYPE heap, uint64_t size);

  ComPtr<ID3D12Device> device_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
  ComPtr<ID3D12Fence> fence_;
  uint64_t fence_value_ = 0;
  ComPtr<ID3D12Resource> upload_;
  ComPtr<ID3D12Resource> readback_;
  uint64_t upload_size_ = 0;
  uint64_t readback_size_ = 0;
};

}  // namespace interop
