#include "gpu.h"

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace interop {

namespace {

void Transition(ID3D12GraphicsCommandList* list, ID3D12Resource* resource, D3D12_RESOURCE_STATES before,
                D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier = {};
  barrier.Transition.pResource = resource;
  barrier.Transition.Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
  barrier.Transition.StateBefore = before;
  barrier.Transition.StateAfter = after;
  list->ResourceBarrier(1, &barrier);
}

D3D12_TEXTURE_COPY_LOCATION Texels(ID3D12Resource* texture) {
  D3D12_TEXTURE_COPY_LOCATION location = {};
  location.pResource = texture;
  location.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
  return location;
}

D3D12_TEXTURE_COPY_LOCATION Footprint(ID3D12Resource* buffer, const Rows& rows) {
  D3D12_TEXTURE_COPY_LOCATION location = {};
  location.pResource = buffer;
  location.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
  location.PlacedFootprint.Footprint = {rows.format, rows.width, rows.height, 1, rows.Pitch()};
  return location;
}

}  // namespace

void Check(HRESULT result, const char* call) {
  if (FAILED(result)) throw std::runtime_error(std::string(call) + " failed with " + std::to_string(result));
}

ComPtr<ID3D12Resource> CreateBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, uint64_t size, bool unordered,
                                    D3D12_HEAP_FLAGS flags) {
  D3D12_HEAP_PROPERTIES properties = {};
  properties.Type = heap;
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = size;
  desc.Height = 1;
  desc.DepthOrArraySize = 1;
  desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (unordered) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  const D3D12_RESOURCE_STATES state = heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                                      : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                                         : D3D12_RESOURCE_STATE_COMMON;
  ComPtr<ID3D12Resource> buffer;
  Check(device->CreateCommittedResource(&properties, flags, &desc, state, nullptr, Iid<ID3D12Resource>::value,
                                        buffer.Put()),
        "CreateCommittedResource");
  return buffer;
}

Rows RowsOf(ID3D12Resource* texture) {
  const D3D12_RESOURCE_DESC desc = ndml::ResourceDesc(texture);
  const uint32_t bytes = desc.Format == DXGI_FORMAT_R16G16B16A16_FLOAT ? 8
                         : desc.Format == DXGI_FORMAT_R8_UNORM         ? 1
                                                                       : 4;
  return {desc.Format, static_cast<uint32_t>(desc.Width), desc.Height, bytes};
}

Queue::Queue(ComPtr<ID3D12Device> device) : device_(std::move(device)) {
  const D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_DIRECT;
  D3D12_COMMAND_QUEUE_DESC desc = {};
  desc.Type = type;
  Check(device_->CreateCommandQueue(&desc, Iid<ID3D12CommandQueue>::value, queue_.Put()), "CreateCommandQueue");
  Check(device_->CreateCommandAllocator(type, Iid<ID3D12CommandAllocator>::value, allocator_.Put()),
        "CreateCommandAllocator");
  Check(device_->CreateCommandList(0, type, allocator_.Get(), nullptr, Iid<ID3D12GraphicsCommandList>::value,
                                   list_.Put()),
        "CreateCommandList");
  Check(list_->Close(), "Close");
  Check(device_->CreateFence(0, D3D12_FENCE_FLAG_NONE, Iid<ID3D12Fence>::value, fence_.Put()), "CreateFence");
}

void Queue::WriteTexture(ID3D12Resource* texture, const uint8_t* data) {
  const Rows rows = RowsOf(texture);
  ID3D12Resource* const staging = Staging(D3D12_HEAP_TYPE_UPLOAD, uint64_t{rows.Pitch()} * rows.height);
  uint8_t* memory = nullptr;
  Check(staging->Map(0, nullptr, reinterpret_cast<void**>(&memory)), "Map");
  for (uint32_t y = 0; y < rows.height; ++y) {
    std::memcpy(memory + size_t{y} * rows.Pitch(), data + size_t{y} * rows.Bytes(), rows.Bytes());
  }
  staging->Unmap(0, nullptr);
  Begin();
  Transition(list_.Get(), texture, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST);
  const D3D12_TEXTURE_COPY_LOCATION to = Texels(texture);
  const D3D12_TEXTURE_COPY_LOCATION from = Footprint(staging, rows);
  list_->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  Transition(list_.Get(), texture, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COMMON);
  Execute();
}

void Queue::ReadTexture(ID3D12Resource* texture, uint8_t* data) {
  const Rows rows = RowsOf(texture);
  ID3D12Resource* const staging = Staging(D3D12_HEAP_TYPE_READBACK, uint64_t{rows.Pitch()} * rows.height);
  Begin();
  Transition(list_.Get(), texture, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_SOURCE);
  const D3D12_TEXTURE_COPY_LOCATION to = Footprint(staging, rows);
  const D3D12_TEXTURE_COPY_LOCATION from = Texels(texture);
  list_->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  Transition(list_.Get(), texture, D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_COMMON);
  Execute();
  const uint8_t* memory = nullptr;
  Check(staging->Map(0, nullptr, reinterpret_cast<void**>(const_cast<uint8_t**>(&memory))), "Map");
  for (uint32_t y = 0; y < rows.height; ++y) {
    std::memcpy(data + size_t{y} * rows.Bytes(), memory + size_t{y} * rows.Pitch(), rows.Bytes());
  }
  staging->Unmap(0, nullptr);
}

void Queue::WriteBuffer(ID3D12Resource* buffer, uint64_t offset, const uint8_t* data, uint64_t size) {
  ID3D12Resource* const staging = Staging(D3D12_HEAP_TYPE_UPLOAD, size);
  void* memory = nullptr;
  Check(staging->Map(0, nullptr, &memory), "Map");
  std::memcpy(memory, data, static_cast<size_t>(size));
  staging->Unmap(0, nullptr);
  Begin();
  list_->CopyBufferRegion(buffer, offset, staging, 0, size);
  Execute();
}

void Queue::ReadBuffer(ID3D12Resource* buffer, uint64_t offset, uint8_t* data, uint64_t size) {
  ID3D12Resource* const staging = Staging(D3D12_HEAP_TYPE_READBACK, size);
  Begin();
  list_->CopyBufferRegion(staging, 0, buffer, offset, size);
  Execute();
  void* memory = nullptr;
  Check(staging->Map(0, nullptr, &memory), "Map");
  std::memcpy(data, memory, static_cast<size_t>(size));
  staging->Unmap(0, nullptr);
}

void Queue::Begin() {
  Check(allocator_->Reset(), "ID3D12CommandAllocator::Reset");
  Check(list_->Reset(allocator_.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
}

void Queue::Execute() {
  Check(list_->Close(), "Close");
  ID3D12CommandList* const lists[] = {list_.Get()};
  queue_->ExecuteCommandLists(1, lists);
  Check(queue_->Signal(fence_.Get(), ++fence_value_), "Signal");
  // Without an event, SetEventOnCompletion waits itself.
  Check(fence_->SetEventOnCompletion(fence_value_, nullptr), "SetEventOnCompletion");
}

ID3D12Resource* Queue::Staging(D3D12_HEAP_TYPE heap, uint64_t size) {
  const bool is_upload = heap == D3D12_HEAP_TYPE_UPLOAD;
  ComPtr<ID3D12Resource>& buffer = is_upload ? upload_ : readback_;
  uint64_t& capacity = is_upload ? upload_size_ : readback_size_;
  if (capacity < size) {
    buffer = CreateBuffer(device_.Get(), heap, size, false);
    capacity = size;
  }
  return buffer.Get();
}

}  // namespace interop
