/** The methods of Direct3D 12 that native/gpu does not call. Calling one ends the process. */
#pragma once

#include "test/fakes/object.h"

namespace ndml::test {

#define NDML_UNUSED(Result, Name, Parameters) \
  Result STDMETHODCALLTYPE Name Parameters override { Unused(#Name); }

/** A method that returns a struct has two forms: see platform/compat.h. */
#if defined(_MSC_VER)
#define NDML_UNUSED_STRUCT(Struct, Name, Parameters, OtherParameters) NDML_UNUSED(Struct, Name, Parameters)
#else
#define NDML_UNUSED_STRUCT(Struct, Name, Parameters, OtherParameters) NDML_UNUSED(Struct*, Name, OtherParameters)
#endif

// clang-format off
class PartialList : public FakeObject<ID3D12GraphicsCommandList> {
 public:
  NDML_UNUSED(void, ClearState, (ID3D12PipelineState*))
  NDML_UNUSED(void, DrawInstanced, (UINT, UINT, UINT, UINT))
  NDML_UNUSED(void, DrawIndexedInstanced, (UINT, UINT, UINT, INT, UINT))
  NDML_UNUSED(void, Dispatch, (UINT, UINT, UINT))
  NDML_UNUSED(void, CopyResource, (ID3D12Resource*, ID3D12Resource*))
  NDML_UNUSED(void, CopyTiles, (ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*, const D3D12_TILE_REGION_SIZE*,
              ID3D12Resource*, UINT64, D3D12_TILE_COPY_FLAGS))
  NDML_UNUSED(void, ResolveSubresource, (ID3D12Resource*, UINT, ID3D12Resource*, UINT, DXGI_FORMAT))
  NDML_UNUSED(void, IASetPrimitiveTopology, (D3D12_PRIMITIVE_TOPOLOGY))
  NDML_UNUSED(void, RSSetViewports, (UINT, const D3D12_VIEWPORT*))
  NDML_UNUSED(void, RSSetScissorRects, (UINT, const D3D12_RECT*))
  NDML_UNUSED(void, OMSetBlendFactor, (const FLOAT*))
  NDML_UNUSED(void, OMSetStencilRef, (UINT))
  NDML_UNUSED(void, SetPipelineState, (ID3D12PipelineState*))
  NDML_UNUSED(void, ExecuteBundle, (ID3D12GraphicsCommandList*))
  NDML_UNUSED(void, SetComputeRootSignature, (ID3D12RootSignature*))
  NDML_UNUSED(void, SetGraphicsRootSignature, (ID3D12RootSignature*))
  NDML_UNUSED(void, SetComputeRootDescriptorTable, (UINT, D3D12_GPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, SetGraphicsRootDescriptorTable, (UINT, D3D12_GPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, SetComputeRoot32BitConstant, (UINT, UINT, UINT))
  NDML_UNUSED(void, SetGraphicsRoot32BitConstant, (UINT, UINT, UINT))
  NDML_UNUSED(void, SetComputeRoot32BitConstants, (UINT, UINT, const void*, UINT))
  NDML_UNUSED(void, SetGraphicsRoot32BitConstants, (UINT, UINT, const void*, UINT))
  NDML_UNUSED(void, SetComputeRootConstantBufferView, (UINT, D3D12_GPU_VIRTUAL_ADDRESS))
  NDML_UNUSED(void, SetGraphicsRootConstantBufferView, (UINT, D3D12_GPU_VIRTUAL_ADDRESS))
  NDML_UNUSED(void, SetComputeRootShaderResourceView, (UINT, D3D12_GPU_VIRTUAL_ADDRESS))
  NDML_UNUSED(void, SetGraphicsRootShaderResourceView, (UINT, D3D12_GPU_VIRTUAL_ADDRESS))
  NDML_UNUSED(void, SetComputeRootUnorderedAccessView, (UINT, D3D12_GPU_VIRTUAL_ADDRESS))
  NDML_UNUSED(void, SetGraphicsRootUnorderedAccessView, (UINT, D3D12_GPU_VIRTUAL_ADDRESS))
  NDML_UNUSED(void, IASetIndexBuffer, (const D3D12_INDEX_BUFFER_VIEW*))
  NDML_UNUSED(void, IASetVertexBuffers, (UINT, UINT, const D3D12_VERTEX_BUFFER_VIEW*))
  NDML_UNUSED(void, SOSetTargets, (UINT, UINT, const D3D12_STREAM_OUTPUT_BUFFER_VIEW*))
  NDML_UNUSED(void, OMSetRenderTargets, (UINT, const D3D12_CPU_DESCRIPTOR_HANDLE*, BOOL,
              const D3D12_CPU_DESCRIPTOR_HANDLE*))
  NDML_UNUSED(void, ClearDepthStencilView, (D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_CLEAR_FLAGS, FLOAT, UINT8, UINT,
              const D3D12_RECT*))
  NDML_UNUSED(void, ClearRenderTargetView, (D3D12_CPU_DESCRIPTOR_HANDLE, const FLOAT*, UINT, const D3D12_RECT*))
  NDML_UNUSED(void, ClearUnorderedAccessViewUint, (D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE,
              ID3D12Resource*, const UINT*, UINT, const D3D12_RECT*))
  NDML_UNUSED(void, ClearUnorderedAccessViewFloat, (D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE,
              ID3D12Resource*, const FLOAT*, UINT, const D3D12_RECT*))
  NDML_UNUSED(void, DiscardResource, (ID3D12Resource*, const D3D12_DISCARD_REGION*))
  NDML_UNUSED(void, BeginQuery, (ID3D12QueryHeap*, D3D12_QUERY_TYPE, UINT))
  NDML_UNUSED(void, EndQuery, (ID3D12QueryHeap*, D3D12_QUERY_TYPE, UINT))
  NDML_UNUSED(void, ResolveQueryData, (ID3D12QueryHeap*, D3D12_QUERY_TYPE, UINT, UINT, ID3D12Resource*, UINT64))
  NDML_UNUSED(void, SetPredication, (ID3D12Resource*, UINT64, D3D12_PREDICATION_OP))
  NDML_UNUSED(void, SetMarker, (UINT, const void*, UINT))
  NDML_UNUSED(void, BeginEvent, (UINT, const void*, UINT))
  NDML_UNUSED(void, EndEvent, ())
  NDML_UNUSED(void, ExecuteIndirect, (ID3D12CommandSignature*, UINT, ID3D12Resource*, UINT64, ID3D12Resource*, UINT64))
};

class PartialQueue : public FakeObject<ID3D12CommandQueue> {
 public:
  NDML_UNUSED(void, UpdateTileMappings, (ID3D12Resource*, UINT, const D3D12_TILED_RESOURCE_COORDINATE*,
              const D3D12_TILE_REGION_SIZE*, ID3D12Heap*, UINT, const D3D12_TILE_RANGE_FLAGS*, const UINT*, const UINT*, 
              D3D12_TILE_MAPPING_FLAGS))
  NDML_UNUSED(void, CopyTileMappings, (ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*, ID3D12Resource*,
              const D3D12_TILED_RESOURCE_COORDINATE*, const D3D12_TILE_REGION_SIZE*, D3D12_TILE_MAPPING_FLAGS))
  NDML_UNUSED(void, SetMarker, (UINT, const void*, UINT))
  NDML_UNUSED(void, BeginEvent, (UINT, const void*, UINT))
  NDML_UNUSED(void, EndEvent, ())
  NDML_UNUSED(HRESULT, GetClockCalibration, (UINT64*, UINT64*))
  NDML_UNUSED_STRUCT(D3D12_COMMAND_QUEUE_DESC, GetDesc, (), (D3D12_COMMAND_QUEUE_DESC*))
};

class PartialDevice : public FakeObject<ID3D12Device> {
 public:
  NDML_UNUSED(UINT, GetNodeCount, ())
  NDML_UNUSED(HRESULT, CreateGraphicsPipelineState, (const D3D12_GRAPHICS_PIPELINE_STATE_DESC*, REFIID, void**))
  NDML_UNUSED(HRESULT, CreateComputePipelineState, (const D3D12_COMPUTE_PIPELINE_STATE_DESC*, REFIID, void**))
  NDML_UNUSED(HRESULT, CheckFeatureSupport, (D3D12_FEATURE, void*, UINT))
  NDML_UNUSED(HRESULT, CreateRootSignature, (UINT, const void*, SIZE_T, REFIID, void**))
  NDML_UNUSED(void, CreateConstantBufferView, (const D3D12_CONSTANT_BUFFER_VIEW_DESC*, D3D12_CPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, CreateShaderResourceView, (ID3D12Resource*, const D3D12_SHADER_RESOURCE_VIEW_DESC*,
              D3D12_CPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, CreateUnorderedAccessView, (ID3D12Resource*, ID3D12Resource*,
              const D3D12_UNORDERED_ACCESS_VIEW_DESC*, D3D12_CPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, CreateRenderTargetView, (ID3D12Resource*, const D3D12_RENDER_TARGET_VIEW_DESC*,
              D3D12_CPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, CreateDepthStencilView, (ID3D12Resource*, const D3D12_DEPTH_STENCIL_VIEW_DESC*,
              D3D12_CPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, CreateSampler, (const D3D12_SAMPLER_DESC*, D3D12_CPU_DESCRIPTOR_HANDLE))
  NDML_UNUSED(void, CopyDescriptors, (UINT, const D3D12_CPU_DESCRIPTOR_HANDLE*, const UINT*, UINT,
              const D3D12_CPU_DESCRIPTOR_HANDLE*, const UINT*, D3D12_DESCRIPTOR_HEAP_TYPE))
  NDML_UNUSED(void, CopyDescriptorsSimple, (UINT, D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE,
              D3D12_DESCRIPTOR_HEAP_TYPE))
  NDML_UNUSED_STRUCT(D3D12_RESOURCE_ALLOCATION_INFO, GetResourceAllocationInfo, (UINT, UINT,
              const D3D12_RESOURCE_DESC*), (D3D12_RESOURCE_ALLOCATION_INFO*, UINT, UINT, const D3D12_RESOURCE_DESC*))
  NDML_UNUSED_STRUCT(D3D12_HEAP_PROPERTIES, GetCustomHeapProperties, (UINT, D3D12_HEAP_TYPE), (D3D12_HEAP_PROPERTIES*,
              UINT, D3D12_HEAP_TYPE))
  NDML_UNUSED(HRESULT, CreateHeap, (const D3D12_HEAP_DESC*, REFIID, void**))
  NDML_UNUSED(HRESULT, CreatePlacedResource, (ID3D12Heap*, UINT64, const D3D12_RESOURCE_DESC*, D3D12_RESOURCE_STATES,
              const D3D12_CLEAR_VALUE*, REFIID, void**))
  NDML_UNUSED(HRESULT, CreateReservedResource, (const D3D12_RESOURCE_DESC*, D3D12_RESOURCE_STATES,
              const D3D12_CLEAR_VALUE*, REFIID, void**))
  NDML_UNUSED(HRESULT, CreateSharedHandle, (ID3D12DeviceChild*, const SECURITY_ATTRIBUTES*, DWORD, LPCWSTR, HANDLE*))
  NDML_UNUSED(HRESULT, OpenSharedHandle, (HANDLE, REFIID, void**))
  NDML_UNUSED(HRESULT, OpenSharedHandleByName, (LPCWSTR, DWORD, HANDLE*))
  NDML_UNUSED(HRESULT, MakeResident, (UINT, ID3D12Pageable* const*))
  NDML_UNUSED(HRESULT, Evict, (UINT, ID3D12Pageable* const*))
  NDML_UNUSED(void, GetCopyableFootprints, (const D3D12_RESOURCE_DESC*, UINT, UINT, UINT64,
              D3D12_PLACED_SUBRESOURCE_FOOTPRINT*, UINT*, UINT64*, UINT64*))
  NDML_UNUSED(HRESULT, CreateQueryHeap, (const D3D12_QUERY_HEAP_DESC*, REFIID, void**))
  NDML_UNUSED(HRESULT, SetStablePowerState, (BOOL))
  NDML_UNUSED(HRESULT, CreateCommandSignature, (const D3D12_COMMAND_SIGNATURE_DESC*, ID3D12RootSignature*, REFIID,
              void**))
  NDML_UNUSED(void, GetResourceTiling, (ID3D12Resource*, UINT*, D3D12_PACKED_MIP_INFO*, D3D12_TILE_SHAPE*, UINT*, UINT,
              D3D12_SUBRESOURCE_TILING*))
  NDML_UNUSED_STRUCT(LUID, GetAdapterLuid, (), (LUID*))
};

class PartialResource : public FakeObject<ID3D12Resource> {
 public:
  NDML_UNUSED(void, Unmap, (UINT, const D3D12_RANGE*))
  NDML_UNUSED_STRUCT(D3D12_RESOURCE_DESC, GetDesc, (), (D3D12_RESOURCE_DESC*))
  NDML_UNUSED(D3D12_GPU_VIRTUAL_ADDRESS, GetGPUVirtualAddress, ())
  NDML_UNUSED(HRESULT, WriteToSubresource, (UINT, const D3D12_BOX*, const void*, UINT, UINT))
  NDML_UNUSED(HRESULT, ReadFromSubresource, (void*, UINT, UINT, UINT, const D3D12_BOX*))
  NDML_UNUSED(HRESULT, GetHeapProperties, (D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS*))
};

class PartialDescriptorHeap : public FakeObject<ID3D12DescriptorHeap> {
 public:
  NDML_UNUSED_STRUCT(D3D12_DESCRIPTOR_HEAP_DESC, GetDesc, (), (D3D12_DESCRIPTOR_HEAP_DESC*))
};

// clang-format on

#undef NDML_UNUSED
#undef NDML_UNUSED_STRUCT

}  // namespace ndml::test
