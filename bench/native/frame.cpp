#include "frame.h"

#include "copy.h"
#include "graph_builder.h"

namespace bench {

using ndml::Iid;

namespace {

// The same frame as in frames.mjs. A row has a multiple of Direct3D's 256 bytes.
constexpr UINT kWidth = 1920, kHeight = 1080, kRowBytes = 4 * kWidth;
constexpr uint64_t kTexelBytes = uint64_t{kRowBytes} * kHeight, kTensorBytes = 3 * kTexelBytes;

/** The first channels of the texels. */
Sizes RowStrides() { return {kRowBytes * kHeight, 1, kRowBytes, 4}; }

D3D12_TEXTURE_COPY_LOCATION Texels(ID3D12Resource* texture) {
  D3D12_TEXTURE_COPY_LOCATION location = {};
  location.pResource = texture;
  location.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
  return location;
}

D3D12_TEXTURE_COPY_LOCATION Rows(ID3D12Resource* buffer) {
  D3D12_TEXTURE_COPY_LOCATION location = {};
  location.pResource = buffer;
  location.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
  location.PlacedFootprint.Footprint = {DXGI_FORMAT_B8G8R8A8_UNORM, kWidth, kHeight, 1, kRowBytes};
  return location;
}

void CopyTexels(ID3D12GraphicsCommandList* list, const D3D12_TEXTURE_COPY_LOCATION& target,
                const D3D12_TEXTURE_COPY_LOCATION& source) {
  list->CopyTextureRegion(&target, 0, 0, 0, &source, nullptr);
}

ComPtr<ID3D12Resource> CreateTexture(ID3D12Device* device) {
  D3D12_HEAP_PROPERTIES heap = {};
  heap.Type = D3D12_HEAP_TYPE_DEFAULT;
  D3D12_RESOURCE_DESC desc = {};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D;
  desc.Width = kWidth;
  desc.Height = kHeight;
  desc.DepthOrArraySize = 1;
  desc.MipLevels = 1;
  desc.Format = DXGI_FORMAT_B8G8R8A8_UNORM;
  desc.SampleDesc.Count = 1;
  ComPtr<ID3D12Resource> texture;
  Check(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                        Iid<ID3D12Resource>::value, texture.Put()),
        "ID3D12Device::CreateCommittedResource");
  return texture;
}

}  // namespace

Frame::Frame(Gpu& gpu)
    : gpu_(gpu),
      steps_(gpu),
      texture_(CreateTexture(gpu.device())),
      before_(gpu.CreateBuffer(kTexelBytes, Memory::kDevice)),
      after_(gpu.CreateBuffer(kTexelBytes, Memory::kDevice)),
      tensor_(gpu.CreateBuffer(kTensorBytes, Memory::kDevice)),
      positions_(gpu.CreateBuffer(12, Memory::kDevice)) {
  std::vector<uint8_t> texels(kTexelBytes);
  for (size_t i = 0; i < texels.size(); ++i) {
    texels[i] = i % 4 == 3 ? uint8_t{255} : static_cast<uint8_t>(uint64_t{7919} * i % 251);
  }
  // The conversions leave alpha as it is.
  for (ID3D12Resource* const rows : {before_.Get(), after_.Get()}) UploadWords(gpu, rows, texels.data(), kTexelBytes);
  const uint32_t positions[] = {2, 1, 0};
  UploadWords(gpu, positions_.Get(), positions, sizeof(positions));
  CopyTexels(gpu.Begin(), Texels(texture_.Get()), Rows(before_.Get()));
  gpu.Finish();
  AddToTensor();
  AddToTexels();
  steps_.Prepare();
}

void Frame::AddToTensor() {
  GraphBuilder graph(gpu_);
  const Value rows = graph.Input({before_.Get(), 0, kTexelBytes}, {1, 4, kHeight, kWidth}, DML_TENSOR_DATA_TYPE_UINT8);
  const Value positions = graph.Input({positions_.Get(), 0, 12}, {1, 1, 1, 3}, DML_TENSOR_DATA_TYPE_UINT32);
  const Value channels = graph.Channels(rows.As(rows.sizes, RowStrides()), positions);
  const Value scaled = graph.Scale(graph.Cast(channels, DML_TENSOR_DATA_TYPE_FLOAT32), 1.0f / 255);
  graph.Output(scaled, {tensor_.Get(), 0, kTensorBytes});
  graph.AddTo(steps_);
}

void Frame::AddToTexels() {
  GraphBuilder graph(gpu_);
  const Value tensor = graph.Input({tensor_.Get(), 0, kTensorBytes}, {1, 3, kHeight, kWidth});
  const Value positions = graph.Input({positions_.Get(), 0, 12}, {1, 1, 1, 3}, DML_TENSOR_DATA_TYPE_UINT32);
  const Value bytes = graph.Cast(graph.Clip(tensor, 255, 0.5f, 255), DML_TENSOR_DATA_TYPE_UINT8);
  graph.Output(graph.Channels(bytes, positions, RowStrides()), {after_.Get(), 0, kTexelBytes});
  graph.AddTo(steps_);
}

void Frame::Run() {
  Record(gpu_.Begin());
  gpu_.Finish();
}

void Frame::Record(ID3D12GraphicsCommandList* list) {
  CopyTexels(list, Rows(before_.Get()), Texels(texture_.Get()));
  const D3D12_RESOURCE_BARRIER copied =
      Transition(before_.Get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  list->ResourceBarrier(1, &copied);
  steps_.Record(list);
  const D3D12_RESOURCE_BARRIER converted[] = {
      Transition(after_.Get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE),
      Transition(texture_.Get(), D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_COPY_DEST)};
  list->ResourceBarrier(2, converted);
  CopyTexels(list, Texels(texture_.Get()), Rows(after_.Get()));
  // A texture does not return to this state by itself.
  const D3D12_RESOURCE_BARRIER written =
      Transition(texture_.Get(), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COMMON);
  list->ResourceBarrier(1, &written);
}

double Frame::RecordingTime() {
  ID3D12GraphicsCommandList* const list = gpu_.Begin();
  for (int frame = 0; frame < 3; ++frame) Record(list);
  const double time = Microseconds([&] { Record(list); });
  gpu_.Finish();
  return time;
}

std::vector<uint32_t> Frame::Result() {
  CopyTexels(gpu_.Begin(), Rows(before_.Get()), Texels(texture_.Get()));
  gpu_.Finish();
  return ReadWords(gpu_, before_.Get(), kTexelBytes);
}

}  // namespace bench
