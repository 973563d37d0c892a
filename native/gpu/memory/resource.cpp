#include "gpu/memory/resource.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "platform/failure.h"

namespace ndml {

namespace {

void RequireWithinLimit(const LiveCounters& counters, uint64_t size) {
  const auto allocated = static_cast<uint64_t>(counters.allocated_bytes.load());
  const uint64_t rest = counters.memory_limit - std::min(counters.memory_limit, allocated);
  if (size <= rest) return;
  throw Failure("ERR_OUT_OF_MEMORY", "expected at most " + std::to_string(rest) + " bytes, which the memoryLimit of " +
                                         std::to_string(counters.memory_limit) + " bytes leaves, given " +
                                         std::to_string(size) + " bytes to allocate")
      .Field("memoryLimit");
}

}  // namespace

ComPtr<ID3D12Resource> CreateCommittedBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, uint64_t size,
                                             D3D12_RESOURCE_STATES state, D3D12_HEAP_FLAGS flags) {
  D3D12_HEAP_PROPERTIES properties = {};
  properties.Type = heap;
  properties.CreationNodeMask = 1;
  properties.VisibleNodeMask = 1;
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = size;
  desc.Height = 1;
  desc.DepthOrArraySize = 1;
  desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (heap == D3D12_HEAP_TYPE_DEFAULT) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  ComPtr<ID3D12Resource> resource;
  const HRESULT result = device->CreateCommittedResource(&properties, flags, &desc, state, nullptr,
                                                         Iid<ID3D12Resource>::value, resource.Put());
  if (FAILED(result) || !resource) {
    if (IsRemoval(result)) throw CallFailure("ID3D12Device::CreateCommittedResource", result);
    // Only the size varies, so any other error, E_INVALIDARG too, also means that the size is too large for the device.
    throw Failure("ERR_OUT_OF_MEMORY",
                  "the device could not allocate " + std::to_string(size) + " bytes (" + HresultName(result) + ")")
        .Call("ID3D12Device::CreateCommittedResource", result);
  }
  return resource;
}

bool NewMemoryMayHoldOldBytes() {
  const HMODULE ntdll = ::GetModuleHandleW(L"ntdll.dll");
  return ntdll != nullptr && ::GetProcAddress(ntdll, "wine_get_version") != nullptr;
}

std::shared_ptr<Resource> CreateResource(ID3D12Device* device, uint64_t size,
                                         const std::shared_ptr<LiveCounters>& counters, D3D12_HEAP_FLAGS flags) {
  const uint64_t capacity = RoundUp(size, 4);
  RequireWithinLimit(*counters, capacity);
  std::shared_ptr<Resource> resource = HoldResource(
      CreateCommittedBuffer(device, D3D12_HEAP_TYPE_DEFAULT, capacity, D3D12_RESOURCE_STATE_COMMON, flags), capacity);
  resource->is_visible_outside = flags != D3D12_HEAP_FLAG_NONE;
  resource->allocated = CountedBytes(counters, &LiveCounters::allocated_bytes, capacity);
  return resource;
}

std::shared_ptr<Resource> HoldResource(ComPtr<ID3D12Resource> d3d12, uint64_t capacity) {
  static std::atomic<uint64_t> last_id{0};
  auto resource = std::make_shared<Resource>();
  resource->id = ++last_id;
  resource->capacity = capacity;
  resource->defined_bytes = capacity;
  resource->d3d12 = std::move(d3d12);
  return resource;
}

}  // namespace ndml
