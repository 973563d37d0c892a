/** A Direct3D 12 compute queue with a DirectML device on it: one command list, reused, and a fence to wait for. */
#pragma once

#include <cstdint>
#include <string>

#include "platform/com_ptr.h"

namespace bench {

using ndml::ComPtr;

/** Throws std::runtime_error naming the call. */
void Check(HRESULT result, const char* call);

enum class Memory { kDevice, kUpload, kReadback };

class Gpu {
 public:
  /** `adapter_luid` is "<high>-<low>" in hexadecimal digits. */
  Gpu(const std::string& directml_path, const std::string& adapter_luid);

  /** Upload and readback memory is mapped to `*mapped` and stays so. */
  ComPtr<ID3D12Resource> CreateBuffer(uint64_t size, Memory memory, void** mapped = nullptr);

  /** Starts the command list anew; what it last held has been finished. */
  ID3D12GraphicsCommandList* Begin();
  /** Submits the command list and waits for it to finish. */
  void Finish();

  ID3D12Device* device() const { return device_.Get(); }
  IDMLDevice* dml() const { return dml_.Get(); }
  IDMLCommandRecorder* recorder() const { return recorder_.Get(); }

 private:
  ComPtr<ID3D12Device> device_;
  ComPtr<IDMLDevice> dml_;
  ComPtr<IDMLCommandRecorder> recorder_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
  ComPtr<ID3D12Fence> fence_;
  ndml::UniqueHandle finished_;
  uint64_t fence_value_ = 0;
};

}  // namespace bench
