// What the parts of the bridge know of each other.
#pragma once

#include <windows.h>

// The cross compiler's own: no more is needed here than ID3D12Device5.
#include <d3d12.h>

#include <cstddef>

namespace bridge {

// Held while a device is created and while one is released; a thread may take it again.
//
// Debian 13's Vulkan loader (1.4.309) cannot stand vkCreateDevice and vkDestroyDevice on two threads, whatever
// the instances: Wine's vkCreateDevice asks it for the new device's functions, for which it searches the list
// of all devices, and vkDestroyDevice frees an entry of that list under another lock. Wine catches the fault
// and ends the process with "Assertion failed: !status, file dlls/winevulkan/loader.c, line 585".
// https://github.com/KhronosGroup/Vulkan-Loader/issues/2018
class VulkanDeviceTurn {
 public:
  VulkanDeviceTurn();
  ~VulkanDeviceTurn();
  VulkanDeviceTurn(const VulkanDeviceTurn&) = delete;
  VulkanDeviceTurn& operator=(const VulkanDeviceTurn&) = delete;
};

// Replaces a function of a virtual function table. The original is kept first: another thread may be calling it.
template <typename Function>
void Replace(void** table, std::size_t position, Function replacement, Function* original) {
  void** const entry = table + position;
  *original = reinterpret_cast<Function>(*entry);
  DWORD protection = 0;
  if (VirtualProtect(entry, sizeof *entry, PAGE_READWRITE, &protection)) {
    *entry = reinterpret_cast<void*>(replacement);
    VirtualProtect(entry, sizeof *entry, protection, &protection);
  }
}

// Opens the file that an environment variable names, to append to it. INVALID_HANDLE_VALUE if there is none.
inline HANDLE OpenNotes(const wchar_t* variable) {
  wchar_t path[MAX_PATH];
  const DWORD length = GetEnvironmentVariableW(variable, path, MAX_PATH);
  if (length == 0 || length >= MAX_PATH) return INVALID_HANDLE_VALUE;
  return CreateFileW(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_ALWAYS,
                     FILE_ATTRIBUTE_NORMAL, nullptr);
}

// Makes up for what DirectML misses in Wine's device. Safe to call for every device that is created.
void PatchDevice(IUnknown* device);

// Whether a compute shader is DirectML's ElementWiseVectorized.
bool IsElementWiseVectorized(const D3D12_SHADER_BYTECODE& shader);

// The shader that takes its place, or one of no length if it cannot be compiled.
D3D12_SHADER_BYTECODE ElementWiseVectorizedReplacement();

// Has a command list's table write down what is recorded, where that is asked for: see recording.cpp.
void PatchRecording(void** table);

// Have a device's table and a new command list write down what the GPU executes, where that is asked for: see
// execution.cpp.
void PatchDeviceExecution(ID3D12Device* device, void** table);
void PatchListExecution(ID3D12GraphicsCommandList* list, ID3D12CommandAllocator* allocator);

// Notes that the replacement was recorded for a dispatch: see shader.cpp.
void CountReplacement();

}  // namespace bridge
