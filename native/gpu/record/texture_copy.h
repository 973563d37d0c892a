/** A copy between a texture and rows in a buffer. */
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/memory/resource.h"

namespace ndml {

/** The formats of textures that can be imported. 0 for any other. */
inline uint32_t BytesPerTexel(DXGI_FORMAT format) {
  switch (format) {
    case DXGI_FORMAT_B8G8R8A8_UNORM:
    case DXGI_FORMAT_R8G8B8A8_UNORM:
      return 4;
    case DXGI_FORMAT_R16G16B16A16_FLOAT:
      return 8;
    case DXGI_FORMAT_R8_UNORM:
      return 1;
    default:
      return 0;
  }
}

struct TextureCopy {
  /** A 2D texture in state COMMON. */
  std::shared_ptr<Resource> texture;
  std::shared_ptr<Resource> buffer;
  /** From the texture to the buffer, or the other way round. */
  bool to_buffer = false;
  /** In bytes, a multiple of D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT (512). */
  uint64_t offset = 0;
  /** In bytes, a multiple of D3D12_TEXTURE_DATA_PITCH_ALIGNMENT (256). */
  uint32_t row_pitch = 0;
  /** The rectangle of the texture, in texels. */
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t width = 0;
  uint32_t height = 0;
  DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN;
};

}  // namespace ndml
