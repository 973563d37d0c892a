/** Copies between buffers and ordinary memory, through staging memory. */
#pragma once

#include <vector>

#include "gpu.h"

namespace bench {

void Copy(Gpu& gpu, ID3D12Resource* target, ID3D12Resource* source, uint64_t size);
void UploadWords(Gpu& gpu, ID3D12Resource* target, const void* data, uint64_t size);
std::vector<uint32_t> ReadWords(Gpu& gpu, ID3D12Resource* source, uint64_t size);

}  // namespace bench
