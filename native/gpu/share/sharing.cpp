#include "gpu/share/sharing.h"

#include <iterator>
#include <utility>

#include "gpu/record/texture_copy.h"

namespace ndml {

namespace {

const char* DimensionName(D3D12_RESOURCE_DIMENSION dimension) {
  switch (dimension) {
    case D3D12_RESOURCE_DIMENSION_BUFFER:
      return "a buffer";
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D:
      return "a 1D texture";
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D:
      return "a 2D texture";
    case D3D12_RESOURCE_DIMENSION_TEXTURE3D:
      return "a 3D texture";
    default:
      return "a resource of unknown dimension";
  }
}

const char* HeapName(D3D12_HEAP_TYPE type) {
  switch (type) {
    case D3D12_HEAP_TYPE_UPLOAD:
      return "a buffer in an upload heap";
    case D3D12_HEAP_TYPE_READBACK:
      return "a buffer in a readback heap";
    case D3D12_HEAP_TYPE_CUSTOM:
      return "a buffer in a custom heap";
    default:
      return "a buffer in a heap of another type";
  }
}

std::string Count(uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

void Sharing::Export(const std::shared_ptr<Resource>& resource) {
  resource->is_visible_outside = true;
  resources_.Add(resource->d3d12.Get(), resource);
}

void Sharing::ExportHandle(const std::shared_ptr<Resource>& resource, const std::wstring& name) {
  resource->shared_handle = CreateSharedHandle(gpu_->d3d12.Get(), resource->d3d12.Get(), name);
  Export(resource);
}

std::shared_ptr<SharedFence> Sharing::CreateFence(const std::wstring& name) {
  auto shared = std::make_shared<SharedFence>();
  ThrowIfFailed(gpu_->d3d12->CreateFence(0, D3D12_FENCE_FLAG_SHARED, Iid<ID3D12Fence>::value, shared->d3d12.Put()),
                "ID3D12Device::CreateFence");
  shared->shared_handle = CreateSharedHandle(gpu_->d3d12.Get(), shared->d3d12.Get(), name);
  fences_.Add(shared->d3d12.Get(), shared);
  return shared;
}

std::shared_ptr<Resource> Sharing::ImportBuffer(Foreign foreign) {
  const char* const field = foreign.field;
  const ComPtr<ID3D12Resource> resource = ResourceOf(foreign, "buffer");
  const D3D12_RESOURCE_DESC desc = ResourceDesc(resource.Get());
  if (desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER) {
    throw NotShareable(field, "a buffer", DimensionName(desc.Dimension), "import a 2D texture with importTexture");
  }
  if ((desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0) {
    throw NotShareable(field, "a buffer with D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS", "one without it",
                       "create it with this flag, because operators access it in no other way");
  }
  D3D12_HEAP_PROPERTIES heap = {};
  ThrowIfFailed(resource->GetHeapProperties(&heap, nullptr), "ID3D12Resource::GetHeapProperties");
  if (heap.Type != D3D12_HEAP_TYPE_DEFAULT) {
    throw NotShareable(field, "a buffer in a default heap", HeapName(heap.Type), "copy it into one in a default heap");
  }
  if (desc.Width < 4)
    throw NotShareable(field, "a buffer of at least 4 bytes", Count(desc.Width, "byte"), "make it larger");
  // Operators write whole words of 4 bytes.
  return Hold(resource, desc.Width / 4 * 4, std::move(foreign.handle));
}

std::shared_ptr<Resource> Sharing::ImportTexture(Foreign foreign) {
  const char* const field = foreign.field;
  const ComPtr<ID3D12Resource> resource = ResourceOf(foreign, "texture");
  const D3D12_RESOURCE_DESC desc = ResourceDesc(resource.Get());
  if (desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D) {
    throw NotShareable(field, "a 2D texture", DimensionName(desc.Dimension), "import a buffer with importBuffer");
  }
  if (BytesPerTexel(desc.Format) == 0) {
    throw NotShareable(field, "a texture of the format B8G8R8A8_UNORM, R8G8B8A8_UNORM, R16G16B16A16_FLOAT or R8_UNORM",
                       "one of DXGI_FORMAT " + std::to_string(desc.Format), "convert it into one of these formats");
  }
  if (desc.SampleDesc.Count != 1) {
    throw NotShareable(field, "a texture with 1 sample per texel", Count(desc.SampleDesc.Count, "sample"),
                       "resolve it into one with ResolveSubresource");
  }
  if (desc.MipLevels != 1 || desc.DepthOrArraySize != 1) {
    throw NotShareable(field, "a texture with 1 mip level and 1 array slice",
                       Count(desc.MipLevels, "mip level") + " and " + Count(desc.DepthOrArraySize, "array slice"),
                       "copy one level of one slice into a texture of its own");
  }
  return Hold(resource, 0, std::move(foreign.handle));
}

std::shared_ptr<SharedFence> Sharing::ImportFence(Foreign foreign) {
  const char* const field = foreign.field;
  const ComPtr<ID3D12Fence> fence = foreign.object.As<ID3D12Fence>();
  if (!fence) throw NotShareable(field, "an ID3D12Fence", "an object without this interface", "pass the fence itself");
  RequireOwnDevice(fence.Get(), field, "fence");
  std::shared_ptr<SharedFence> shared = fences_.Find(fence.Get(), foreign.handle.Get());
  if (shared) return shared;
  shared = std::make_shared<SharedFence>();
  shared->d3d12 = fence;
  shared->shared_handle = std::move(foreign.handle);
  fences_.Add(fence.Get(), shared);
  return shared;
}

ComPtr<ID3D12Resource> Sharing::ResourceOf(const Foreign& foreign, const std::string& noun) const {
  const char* const field = foreign.field;
  ComPtr<ID3D12Resource> resource = foreign.object.As<ID3D12Resource>();
  if (!resource) {
    throw NotShareable(field, "an ID3D12Resource", "an object without this interface", "pass the " + noun + " itself");
  }
  RequireOwnDevice(resource.Get(), field, noun);
  return resource;
}

void Sharing::RequireOwnDevice(ID3D12DeviceChild* object, const char* field, const std::string& noun) const {
  ComPtr<ID3D12Device> device;
  ThrowIfFailed(object->GetDevice(Iid<ID3D12Device>::value, device.Put()), "ID3D12DeviceChild::GetDevice");
  if (device.As<IUnknown>().Get() == gpu_->d3d12.As<IUnknown>().Get()) return;
  const std::string theirs = FormatLuid(AdapterLuid(device.Get()));
  const std::string ours = FormatLuid(AdapterLuid(gpu_->d3d12.Get()));
  throw NotShareable(
      field, "a " + noun + " of this device, on the adapter " + ours,
      "one of another ID3D12Device, on the adapter " + theirs,
      theirs == ours ? "create it on the device of device.native" : "create the device with adapter: '" + theirs + "'");
}

std::shared_ptr<Resource> Sharing::Hold(const ComPtr<ID3D12Resource>& resource, uint64_t capacity,
                                        UniqueHandle handle) {
  std::shared_ptr<Resource> held = resources_.Find(resource.Get(), handle.Get());
  if (held) return held;
  held = HoldResource(resource, capacity);
  held->shared_handle = std::move(handle);
  resources_.Add(resource.Get(), held);
  return held;
}

}  // namespace ndml
