// What the parts of the bridge know of each other.
#pragma once

#include <windows.h>

// The cross compiler's own: no more is needed here than ID3D12Device5.
#include <d3d12.h>

namespace bridge {

// Makes up for what DirectML misses in Wine's device. Safe to call for every device that is created.
void PatchDevice(IUnknown* device);

// Whether a compute shader is DirectML's ElementWiseVectorized.
bool IsElementWiseVectorized(const D3D12_SHADER_BYTECODE& shader);

// The shader that takes its place, or one of no length if it cannot be compiled.
D3D12_SHADER_BYTECODE ElementWiseVectorizedReplacement();

// Notes that the replacement was recorded for a dispatch: see shader.cpp.
void CountReplacement();

}  // namespace bridge
