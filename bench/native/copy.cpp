#include "copy.h"

#include <cstring>

namespace bench {

void Copy(Gpu& gpu, ID3D12Resource* target, ID3D12Resource* source, uint64_t size) {
  gpu.Begin()->CopyBufferRegion(target, 0, source, 0, size);
  gpu.Finish();
}

void UploadWords(Gpu& gpu, ID3D12Resource* target, const void* data, uint64_t size) {
  void* mapped = nullptr;
  const ComPtr<ID3D12Resource> staging = gpu.CreateBuffer(size, Memory::kUpload, &mapped);
  std::memcpy(mapped, data, static_cast<size_t>(size));
  Copy(gpu, target, staging.Get(), size);
}

std::vector<uint32_t> ReadWords(Gpu& gpu, ID3D12Resource* source, uint64_t size) {
  void* mapped = nullptr;
  const ComPtr<ID3D12Resource> staging = gpu.CreateBuffer(size, Memory::kReadback, &mapped);
  Copy(gpu, staging.Get(), source, size);
  std::vector<uint32_t> words(static_cast<size_t>(size / 4));
  std::memcpy(words.data(), mapped, static_cast<size_t>(size));
  return words;
}

}  // namespace bench
