/** The formats of textures that can be shared. */

/** By WebGPU's name, the channels of a texel in the order of memory, and the data type of each. */
export const textureFormats = {
  bgra8unorm: { channels: 'bgra', dataType: 'uint8', bytesPerTexel: 4 },
  rgba8unorm: { channels: 'rgba', dataType: 'uint8', bytesPerTexel: 4 },
  rgba16float: { channels: 'rgba', dataType: 'float16', bytesPerTexel: 8 },
  r8unorm: { channels: 'r', dataType: 'uint8', bytesPerTexel: 1 },
} as const;

/** The format of a texture, by WebGPU's name. */
export type TextureFormat = keyof typeof textureFormats;
