// Logs what is recorded on command lists, so that a test can check the barriers against the commands. The results do
// not show that a barrier is missing, because this GPU runs everything in order. Each call appends a line to the file
// that the environment variable NODE_DIRECTML_BRIDGE_RECORDING names when the process begins; without it nothing is
// patched.
//   dispatch
//   copy TARGET SOURCE
//   uav RESOURCE                        (0 for all resources)
//   transition RESOURCE BEFORE AFTER    (D3D12_RESOURCE_STATES as numbers)
//   aliasing
//   close
#include "bridge.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

// Positions in the virtual function table of ID3D12GraphicsCommandList.
constexpr std::size_t kClose = 9;
constexpr std::size_t kDispatch = 14;
constexpr std::size_t kCopyBufferRegion = 15;
constexpr std::size_t kResourceBarrier = 26;

using Close = HRESULT(WINAPI*)(ID3D12GraphicsCommandList*);
using Dispatch = void(WINAPI*)(ID3D12GraphicsCommandList*, UINT, UINT, UINT);
using CopyBufferRegion = void(WINAPI*)(ID3D12GraphicsCommandList*, ID3D12Resource*, UINT64, ID3D12Resource*, UINT64,
                                       UINT64);
using ResourceBarrier = void(WINAPI*)(ID3D12GraphicsCommandList*, UINT, const D3D12_RESOURCE_BARRIER*);

Close wine_close;
Dispatch wine_dispatch;
CopyBufferRegion wine_copy_buffer_region;
ResourceBarrier wine_resource_barrier;

// Kept open for the life of the process.
HANDLE Notes() {
  static const HANDLE notes = bridge::OpenNotes(L"NODE_DIRECTML_BRIDGE_RECORDING");
  return notes;
}

template <typename... Values>
void Note(const char* format, Values... values) {
  char line[128];
  const int length = std::snprintf(line, sizeof line, format, values...);
  DWORD written = 0;
  if (length > 0) WriteFile(Notes(), line, static_cast<DWORD>(length), &written, nullptr);
}

unsigned long long NameOf(const ID3D12Resource* resource) { return reinterpret_cast<std::uintptr_t>(resource); }

HRESULT WINAPI CloseNoted(ID3D12GraphicsCommandList* list) {
  Note("%s\n", "close");
  return wine_close(list);
}

void WINAPI DispatchNoted(ID3D12GraphicsCommandList* list, UINT x, UINT y, UINT z) {
  Note("%s\n", "dispatch");
  wine_dispatch(list, x, y, z);
}

void WINAPI CopyBufferRegionNoted(ID3D12GraphicsCommandList* list, ID3D12Resource* target, UINT64 target_offset,
                                  ID3D12Resource* source, UINT64 source_offset, UINT64 size) {
  Note("copy %llx %llx\n", NameOf(target), NameOf(source));
  wine_copy_buffer_region(list, target, target_offset, source, source_offset, size);
}

void WINAPI ResourceBarrierNoted(ID3D12GraphicsCommandList* list, UINT count, const D3D12_RESOURCE_BARRIER* barriers) {
  for (UINT i = 0; i < count; ++i) {
    const D3D12_RESOURCE_BARRIER& barrier = barriers[i];
    if (barrier.Type == D3D12_RESOURCE_BARRIER_TYPE_UAV) {
      Note("uav %llx\n", NameOf(barrier.UAV.pResource));
    } else if (barrier.Type == D3D12_RESOURCE_BARRIER_TYPE_TRANSITION) {
      Note("transition %llx %u %u\n", NameOf(barrier.Transition.pResource),
           static_cast<unsigned>(barrier.Transition.StateBefore), static_cast<unsigned>(barrier.Transition.StateAfter));
    } else {
      Note("%s\n", "aliasing");
    }
  }
  wine_resource_barrier(list, count, barriers);
}

}  // namespace

namespace bridge {

void PatchRecording(void** table) {
  if (Notes() == INVALID_HANDLE_VALUE) return;
  Replace(table, kClose, &CloseNoted, &wine_close);
  Replace(table, kDispatch, &DispatchNoted, &wine_dispatch);
  Replace(table, kCopyBufferRegion, &CopyBufferRegionNoted, &wine_copy_buffer_region);
  Replace(table, kResourceBarrier, &ResourceBarrierNoted, &wine_resource_barrier);
}

}  // namespace bridge
