#include "gpu/sharing.h"

#include <iterator>

#include "gpu/texture_copy.h"

namespace ndml {

namespace {

Failure NotShareable(const std::string& expected, const std::string& given, const std::string& advice) {
  return Failure("ERR_NOT_SHAREABLE", "external: expected " + expected + ", given " + given + "; " + advice)
      .Field("external");
}

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

void Sharing::Export(const std::shared_ptr<Resource>& resource) { resources_.Add(resource->d3d12.Get(), resource); }

std::shared_ptr<Resource> Sharing::ImportBuffer(const ComPtr<IUnknown>& object) {
  const ComPtr<ID3D12Resource> resource = ResourceOf(object, "buffer");
  const D3D12_RESOURCE_DESC desc = ResourceDesc(resource.Get());
  if (desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER) {
    throw NotShareable("a buffer", DimensionName(desc.Dimension), "import a 2D texture with importTexture");
  }
  if ((desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) == 0) {
    throw NotShareable("a buffer with D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS", "one without it",
                       "create it with this flag, because operators access it in no other way");
  }
  D3D12_HEAP_PROPERTIES heap = {};
  ThrowIfFailed(resource->GetHeapProperties(&heap, nullptr), "ID3D12Resource::GetHeapProperties");
  if (heap.Type != D3D12_HEAP_TYPE_DEFAULT) {
    throw NotShareable("a buffer in a default heap", HeapName(heap.Type), "copy it into one in a default heap");
  }
  if (desc.Width < 4) throw NotShareable("a buffer of at least 4 bytes", Count(desc.Width, "byte"), "make it larger");
  // Operators write whole words of 4 bytes.
  return Hold(resource, desc.Width / 4 * 4);
}

std::shared_ptr<Resource> Sharing::ImportTexture(const ComPtr<IUnknown>& object) {
  const ComPtr<ID3D12Resource> resource = ResourceOf(object, "texture");
  const D3D12_RESOURCE_DESC desc = ResourceDesc(resource.Get());
  if (desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D) {
    throw NotShareable("a 2D texture", DimensionName(desc.Dimension), "import a buffer with importBuffer");
  }
  if (BytesPerTexel(desc.Format) == 0) {
    throw NotShareable("a texture of the format B8G8R8A8_UNORM, R8G8B8A8_UNORM, R16G16B16A16_FLOAT or R8_UNORM",
                       "one of DXGI_FORMAT " + std::to_string(desc.Format), "convert it into one of these formats");
  }
  if (desc.SampleDesc.Count != 1) {
    throw NotShareable("a texture with 1 sample per texel", Count(desc.SampleDesc.Count, "sample"),
                       "resolve it into one with ResolveSubresource");
  }
  if (desc.MipLevels != 1 || desc.DepthOrArraySize != 1) {
    throw NotShareable("a texture with 1 mip level and 1 array slice",
                       Count(desc.MipLevels, "mip level") + " and " + Count(desc.DepthOrArraySize, "array slice"),
                       "copy one level of one slice into a texture of its own");
  }
  return Hold(resource, 0);
}

std::shared_ptr<SharedFence> Sharing::ImportFence(const ComPtr<IUnknown>& object) {
  const ComPtr<ID3D12Fence> fence = object.As<ID3D12Fence>();
  if (!fence) throw NotShareable("an ID3D12Fence", "an object without this interface", "pass the fence itself");
  RequireOwnDevice(fence.Get(), "fence");
  std::shared_ptr<SharedFence> shared = fences_.Find(fence.Get());
  if (shared) return shared;
  shared = std::make_shared<SharedFence>();
  shared->d3d12 = fence;
  fences_.Add(fence.Get(), shared);
  return shared;
}

ComPtr<ID3D12Resource> Sharing::ResourceOf(const ComPtr<IUnknown>& object, const std::string& noun) const {
  ComPtr<ID3D12Resource> resource = object.As<ID3D12Resource>();
  if (!resource) {
    throw NotShareable("an ID3D12Resource", "an object without this interface", "pass the " + noun + " itself");
  }
  RequireOwnDevice(resource.Get(), noun);
  return resource;
}

void Sharing::RequireOwnDevice(ID3D12DeviceChild* object, const std::string& noun) const {
  ComPtr<ID3D12Device> device;
  ThrowIfFailed(object->GetDevice(Iid<ID3D12Device>::value, device.Put()), "ID3D12DeviceChild::GetDevice");
  if (device.As<IUnknown>().Get() == gpu_->d3d12.As<IUnknown>().Get()) return;
  const std::string theirs = FormatLuid(AdapterLuid(device.Get()));
  const std::string ours = FormatLuid(AdapterLuid(gpu_->d3d12.Get()));
  throw NotShareable(
      "a " + noun + " of this device, on the adapter " + ours, "one of another ID3D12Device, on the adapter " + theirs,
      theirs == ours ? "create it on the device of device.native" : "create the device with adapter: '" + theirs + "'");
}

std::shared_ptr<Resource> Sharing::Hold(const ComPtr<ID3D12Resource>& resource, uint64_t capacity) {
  std::shared_ptr<Resource> held = resources_.Find(resource.Get());
  if (held) return held;
  held = HoldResource(resource, capacity);
  resources_.Add(resource.Get(), held);
  return held;
}

}  // namespace ndml
