/**
 * The differences between MSVC and mingw-w64: SAL annotations that mingw lacks, interface identifiers (mingw has no
 * __uuidof for these headers), and COM methods that return a struct by value (the compilers pass the hidden pointer to
 * the result differently).
 */
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif

#include <windows.h>

#include <objbase.h>
#include <unknwn.h>

#ifndef _MSC_VER
#include "platform/missing_sal.h"
#endif

// Declares all operators, whatever the target version of Windows. At run time the DLL is asked for its feature level.
#ifndef DML_TARGET_VERSION_USE_LATEST
#define DML_TARGET_VERSION_USE_LATEST
#endif

#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/dxcore_interface.h>

#include <directx/DirectML.h>

#include <dxgi1_6.h>

namespace ndml {

template <typename Interface>
struct Iid;

#define NDML_IID(Interface, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)           \
  template <>                                                                    \
  struct Iid<Interface> {                                                        \
    static constexpr GUID value = {l, w1, w2, {b1, b2, b3, b4, b5, b6, b7, b8}}; \
  };

// clang-format off
NDML_IID(IUnknown, 0x00000000, 0x0000, 0x0000, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46)
NDML_IID(IDXGIFactory1, 0x770aae78, 0xf26f, 0x4dba, 0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87)
NDML_IID(IDXGIFactory4, 0x1bc6ea02, 0xef36, 0x464f, 0xbf, 0x0c, 0x21, 0xca, 0x39, 0xe5, 0x16, 0x8a)
NDML_IID(IDXGIFactory6, 0xc1b6694f, 0xff09, 0x44a9, 0xb0, 0x3c, 0x77, 0x90, 0x0a, 0x0a, 0x1d, 0x17)
NDML_IID(IDXGIAdapter1, 0x29038f61, 0x3839, 0x4626, 0x91, 0xfd, 0x08, 0x68, 0x79, 0x01, 0x1a, 0x05)
NDML_IID(IDXGIAdapter3, 0x645967a4, 0x1392, 0x4310, 0xa7, 0x98, 0x80, 0x53, 0xce, 0x3e, 0x93, 0xfd)
NDML_IID(ID3D12Device, 0x189819f1, 0x1db6, 0x4b57, 0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7)
NDML_IID(ID3D12Device5, 0x8b4f173b, 0x2fea, 0x4b80, 0x8f, 0x58, 0x43, 0x07, 0x19, 0x1a, 0xb9, 0x5d)
NDML_IID(ID3D12CommandQueue, 0x0ec870a6, 0x5d7e, 0x4c22, 0x8c, 0xfc, 0x5b, 0xaa, 0xe0, 0x76, 0x16, 0xed)
NDML_IID(ID3D12CommandAllocator, 0x6102dee4, 0xaf59, 0x4b09, 0xb9, 0x99, 0xb4, 0x4d, 0x73, 0xf0, 0x9b, 0x24)
NDML_IID(ID3D12GraphicsCommandList, 0x5b160d0f, 0xac1b, 0x4185, 0x8b, 0xa8, 0xb3, 0xae, 0x42, 0xa5, 0xa4, 0x55)
NDML_IID(ID3D12Fence, 0x0a753dcf, 0xc4d8, 0x4b91, 0xad, 0xf6, 0xbe, 0x5a, 0x60, 0xd9, 0x5a, 0x76)
NDML_IID(ID3D12Resource, 0x696442be, 0xa72e, 0x4059, 0xbc, 0x79, 0x5b, 0x5c, 0x98, 0x04, 0x0f, 0xad)
NDML_IID(ID3D12DescriptorHeap, 0x8efb471d, 0x616c, 0x4f49, 0x90, 0xf7, 0x12, 0x7b, 0xb7, 0x63, 0xfa, 0x51)
NDML_IID(ID3D12QueryHeap, 0x0d9658ae, 0xed45, 0x469e, 0xa6, 0x1d, 0x97, 0x0e, 0xc5, 0x83, 0xca, 0xb4)
NDML_IID(ID3D12Debug, 0x344488b7, 0x6846, 0x474b, 0xb9, 0x89, 0xf0, 0x27, 0x44, 0x82, 0x45, 0xe0)
NDML_IID(ID3D12InfoQueue, 0x0742a90b, 0xc387, 0x483f, 0xb9, 0x46, 0x30, 0xa7, 0xe4, 0xe6, 0x14, 0x58)
NDML_IID(IDXCoreAdapterFactory, 0x78ee5945, 0xc36e, 0x4b13, 0xa6, 0x69, 0x00, 0x5d, 0xd1, 0x1c, 0x0f, 0x06)
NDML_IID(IDXCoreAdapterList, 0x526c7776, 0x40e9, 0x459b, 0xb7, 0x11, 0xf3, 0x2a, 0xd7, 0x6d, 0xfc, 0x28)
NDML_IID(IDXCoreAdapter, 0xf0db4c7f, 0xfe5a, 0x42a2, 0xbd, 0x62, 0xf2, 0xa6, 0xcf, 0x6f, 0xc8, 0x3e)
NDML_IID(IDMLDevice, 0x6dbd6437, 0x96fd, 0x423f, 0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f)
NDML_IID(IDMLDevice1, 0xa0884f9a, 0xd2be, 0x4355, 0xaa, 0x5d, 0x59, 0x01, 0x28, 0x1a, 0xd1, 0xd2)
NDML_IID(IDMLOperator, 0x26caae7a, 0x3081, 0x4633, 0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d)
NDML_IID(IDMLCompiledOperator, 0x6b15e56a, 0xbf5c, 0x4902, 0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4)
NDML_IID(IDMLOperatorInitializer, 0x427c1113, 0x435c, 0x469c, 0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13)
NDML_IID(IDMLBindingTable, 0x29c687dc, 0xde74, 0x4e3b, 0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc)
NDML_IID(IDMLCommandRecorder, 0xe6857a76, 0x2e3e, 0x4fdd, 0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53)
// clang-format on

#undef NDML_IID

inline D3D12_CPU_DESCRIPTOR_HANDLE CpuHeapStart(ID3D12DescriptorHeap* heap) {
#if defined(_MSC_VER)
  return heap->GetCPUDescriptorHandleForHeapStart();
#else
  D3D12_CPU_DESCRIPTOR_HANDLE handle;
  heap->GetCPUDescriptorHandleForHeapStart(&handle);
  return handle;
#endif
}

inline D3D12_GPU_DESCRIPTOR_HANDLE GpuHeapStart(ID3D12DescriptorHeap* heap) {
#if defined(_MSC_VER)
  return heap->GetGPUDescriptorHandleForHeapStart();
#else
  D3D12_GPU_DESCRIPTOR_HANDLE handle;
  heap->GetGPUDescriptorHandleForHeapStart(&handle);
  return handle;
#endif
}

inline D3D12_RESOURCE_DESC ResourceDesc(ID3D12Resource* resource) {
#if defined(_MSC_VER)
  return resource->GetDesc();
#else
  D3D12_RESOURCE_DESC desc;
  resource->GetDesc(&desc);
  return desc;
#endif
}

inline D3D12_COMMAND_QUEUE_DESC QueueDesc(ID3D12CommandQueue* queue) {
#if defined(_MSC_VER)
  return queue->GetDesc();
#else
  D3D12_COMMAND_QUEUE_DESC desc;
  queue->GetDesc(&desc);
  return desc;
#endif
}

inline LUID AdapterLuid(ID3D12Device* device) {
#if defined(_MSC_VER)
  return device->GetAdapterLuid();
#else
  LUID luid;
  device->GetAdapterLuid(&luid);
  return luid;
#endif
}

inline DML_BINDING_PROPERTIES BindingProperties(IDMLDispatchable* dispatchable) {
#if defined(_MSC_VER)
  return dispatchable->GetBindingProperties();
#else
  // Slot 8 of the virtual table: IUnknown has 3 methods, IDMLObject 4, IDMLDeviceChild 1.
  using Method = void(STDMETHODCALLTYPE*)(IDMLDispatchable*, DML_BINDING_PROPERTIES*);
  DML_BINDING_PROPERTIES properties = {};
  (*reinterpret_cast<Method**>(dispatchable))[8](dispatchable, &properties);
  return properties;
#endif
}

/**
 * GetProcAddress with the function's type. The cast goes through void(*)(), because GCC warns about a direct cast and
 * MSVC about one through void*.
 */
template <typename Function>
Function Procedure(HMODULE library, const char* name) {
  return reinterpret_cast<Function>(reinterpret_cast<void (*)()>(::GetProcAddress(library, name)));
}

}  // namespace ndml
