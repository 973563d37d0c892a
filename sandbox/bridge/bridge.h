// The functions that the parts of the bridge share.
#pragma once

#include <windows.h>

// As in MSVC, methods that return a struct have a pointer to it as a parameter.
#define WIDL_EXPLICIT_AGGREGATE_RETURNS

// The cross compiler's own header suffices: the newest interface that is needed is ID3D12Device5.
#include <d3d12.h>

#include <cstddef>

namespace bridge {

// A recursive lock that is held while a device is created or released.
//
// Debian 13's Vulkan loader (1.4.309) crashes if vkCreateDevice and vkDestroyDevice run on two threads, even with
// different instances. Wine's vkCreateDevice asks the loader for the new device's functions, for which it searches
// the list of all devices; vkDestroyDevice frees an entry of that list under another lock. Wine catches the fault
// and ends the process with "Assertion failed: !status, file dlls/winevulkan/loader.c, line 585".
// https://github.com/KhronosGroup/Vulkan-Loader/issues/2018
class VulkanDeviceTurn {
 public:
  VulkanDeviceTurn();
  ~VulkanDeviceTurn();
  VulkanDeviceTurn(const VulkanDeviceTurn&) = delete;
  VulkanDeviceTurn& operator=(const VulkanDeviceTurn&) = delete;
};

// Replaces a function in a virtual function table. Stores the original first, because another thread may call the
// replacement at once.
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

// Opens the file that an environment variable names, for appending. Returns INVALID_HANDLE_VALUE if it is not set.
inline HANDLE OpenNotes(const wchar_t* variable) {
  wchar_t path[MAX_PATH];
  const DWORD length = GetEnvironmentVariableW(variable, path, MAX_PATH);
  if (length == 0 || length >= MAX_PATH) return INVALID_HANDLE_VALUE;
  return CreateFileW(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_ALWAYS,
                     FILE_ATTRIBUTE_NORMAL, nullptr);
}

// Returns the process's device on an adapter, if it has one. Call it in a VulkanDeviceTurn.
IUnknown* FindDevice(IUnknown* adapter);

// Replaces the methods of Wine's device with which DirectML does not work. Safe to call for every device.
void PatchDevice(IUnknown* device);

// Makes FindDevice find the device as long as it lives. Call it in a VulkanDeviceTurn.
void RememberDevice(IUnknown* device);

// True if the compute shader is DirectML's ElementWiseVectorized.
bool IsElementWiseVectorized(const D3D12_SHADER_BYTECODE& shader);

// Returns the shader that replaces it. Its length is 0 if it cannot be compiled.
D3D12_SHADER_BYTECODE ElementWiseVectorizedReplacement();

// Patches a command list's table so that it logs what is recorded, if a log is wanted: see recording.cpp.
void PatchRecording(void** table);

// Patch a device's table and a new command list so that they log what the GPU executes, if a log is wanted: see
// execution.cpp.
void PatchDeviceExecution(ID3D12Device* device, void** table);
void PatchListExecution(ID3D12GraphicsCommandList* list, ID3D12CommandAllocator* allocator);

// Patches a device's table so that handles share its objects inside the process: see sharing.cpp.
void PatchSharing(void** table);

// Counts a dispatch that uses the replacement: see shader.cpp.
void CountReplacement();

}  // namespace bridge
