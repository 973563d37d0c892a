// Logs what the GPU executes, with which descriptors, and what is freed, so that a test can find whatever is overwritten
// or freed while the GPU uses it. It also makes the GPU slow: each submission waits 20 ms, so that much work is in flight.
// Each call appends a line to the file that the environment variable NODE_DIRECTML_BRIDGE_EXECUTION names when the
// process begins; without it nothing is patched. Each line begins with the value that the fence has reached. Handles
// and names of objects are hexadecimal.
//   heap HEAP CPU GPU COUNT SIZE    (a new descriptor heap: its first handles, and the size of a descriptor in bytes)
//   view CPU RESOURCE               (a descriptor is written)
//   open LIST ALLOCATOR             (a command list is created or reset)
//   reset ALLOCATOR
//   heaps LIST HEAP
//   table LIST GPU
//   operator LIST DISPATCHABLE
//   copy LIST TARGET SOURCE
//   execute LIST…
//   signal VALUE
//   free OBJECT
// NODE_DIRECTML_BRIDGE_FAIL names a call whose next use fails with E_OUTOFMEMORY, and is then cleared: "signal", "close" or
// "heap". A script may set it at any time.
#include "bridge.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>

namespace {

constexpr DWORD kMillisecondsPerSubmission = 20;

// Positions in virtual function tables. First of IUnknown.
constexpr std::size_t kRelease = 2;
// Of ID3D12Device.
constexpr std::size_t kCreateCommandQueue = 8;
constexpr std::size_t kCreateCommandAllocator = 9;
constexpr std::size_t kCreateDescriptorHeap = 14;
constexpr std::size_t kCreateUnorderedAccessView = 19;
constexpr std::size_t kCreateCommittedResource = 27;
// Of ID3D12CommandQueue.
constexpr std::size_t kExecuteCommandLists = 10;
constexpr std::size_t kSignal = 14;
// Of ID3D12CommandAllocator.
constexpr std::size_t kResetAllocator = 8;
// Of ID3D12GraphicsCommandList.
constexpr std::size_t kClose = 9;
constexpr std::size_t kReset = 10;
constexpr std::size_t kCopyBufferRegion = 15;
constexpr std::size_t kSetDescriptorHeaps = 28;
constexpr std::size_t kSetComputeRootDescriptorTable = 31;
// Of IDMLDevice and IDMLCommandRecorder, whose header the bridge does not have.
constexpr std::size_t kCreateCommandRecorder = 11;
constexpr std::size_t kRecordDispatch = 8;

using Release = ULONG(WINAPI*)(IUnknown*);
using CreateCommandQueue = HRESULT(WINAPI*)(ID3D12Device*, const D3D12_COMMAND_QUEUE_DESC*, REFIID, void**);
using CreateCommandAllocator = HRESULT(WINAPI*)(ID3D12Device*, D3D12_COMMAND_LIST_TYPE, REFIID, void**);
using CreateDescriptorHeap = HRESULT(WINAPI*)(ID3D12Device*, const D3D12_DESCRIPTOR_HEAP_DESC*, REFIID, void**);
using CreateUnorderedAccessView = void(WINAPI*)(ID3D12Device*, ID3D12Resource*, ID3D12Resource*,
                                                const D3D12_UNORDERED_ACCESS_VIEW_DESC*, D3D12_CPU_DESCRIPTOR_HANDLE);
using CreateCommittedResource = HRESULT(WINAPI*)(ID3D12Device*, const D3D12_HEAP_PROPERTIES*, D3D12_HEAP_FLAGS,
                                                 const D3D12_RESOURCE_DESC*, D3D12_RESOURCE_STATES,
                                                 const D3D12_CLEAR_VALUE*, REFIID, void**);
using ExecuteCommandLists = void(WINAPI*)(ID3D12CommandQueue*, UINT, ID3D12CommandList* const*);
using Signal = HRESULT(WINAPI*)(ID3D12CommandQueue*, ID3D12Fence*, UINT64);
using ResetAllocator = HRESULT(WINAPI*)(ID3D12CommandAllocator*);
using Close = HRESULT(WINAPI*)(ID3D12GraphicsCommandList*);
using Reset = HRESULT(WINAPI*)(ID3D12GraphicsCommandList*, ID3D12CommandAllocator*, ID3D12PipelineState*);
using CopyBufferRegion = void(WINAPI*)(ID3D12GraphicsCommandList*, ID3D12Resource*, UINT64, ID3D12Resource*, UINT64,
                                       UINT64);
using SetDescriptorHeaps = void(WINAPI*)(ID3D12GraphicsCommandList*, UINT, ID3D12DescriptorHeap* const*);
using SetComputeRootDescriptorTable = void(WINAPI*)(ID3D12GraphicsCommandList*, UINT, D3D12_GPU_DESCRIPTOR_HANDLE);
using RecordDispatch = void(WINAPI*)(IUnknown*, ID3D12CommandList*, IUnknown*, IUnknown*);

CreateCommandQueue wine_create_command_queue;
CreateCommandAllocator wine_create_command_allocator;
CreateDescriptorHeap wine_create_descriptor_heap;
CreateUnorderedAccessView wine_create_unordered_access_view;
CreateCommittedResource wine_create_committed_resource;
ExecuteCommandLists wine_execute_command_lists;
Signal wine_signal;
ResetAllocator wine_reset_allocator;
Close wine_close;
Reset wine_reset;
CopyBufferRegion wine_copy_buffer_region;
SetDescriptorHeaps wine_set_descriptor_heaps;
SetComputeRootDescriptorTable wine_set_compute_root_descriptor_table;
RecordDispatch directml_record_dispatch;

using Name = unsigned long long;

Name NameOf(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

// Kept open for the life of the process.
HANDLE Notes() {
  static const HANDLE notes = bridge::OpenNotes(L"NODE_DIRECTML_BRIDGE_EXECUTION");
  return notes;
}

// The fence that the queue signals. A program that is logged has only one device.
ID3D12Fence* fence;

template <typename... Values>
void Note(const char* format, Values... values) {
  char line[512];
  const Name passed = fence == nullptr ? 0 : fence->GetCompletedValue();
  const int begin = std::snprintf(line, sizeof line, "%llu ", passed);
  const int length = begin + std::snprintf(line + begin, sizeof line - begin, format, values...);
  DWORD written = 0;
  WriteFile(Notes(), line, static_cast<DWORD>(length), &written, nullptr);
}

bool Fails(const wchar_t* call) {
  wchar_t wanted[16];
  const DWORD length = GetEnvironmentVariableW(L"NODE_DIRECTML_BRIDGE_FAIL", wanted, std::size(wanted));
  if (length == 0 || length >= std::size(wanted) || lstrcmpW(wanted, call) != 0) return false;
  SetEnvironmentVariableW(L"NODE_DIRECTML_BRIDGE_FAIL", nullptr);
  return true;
}

SRWLOCK patching = SRWLOCK_INIT;
// The original of each table's Release. Objects of the same class share a table.
std::map<void**, Release> releases;

ULONG WINAPI ReleaseNoted(IUnknown* object) {
  AcquireSRWLockShared(&patching);
  const Release release = releases.at(*reinterpret_cast<void***>(object));
  ReleaseSRWLockShared(&patching);
  // Logged before the last release, because afterwards another object may have the address.
  object->AddRef();
  if (release(object) == 1) Note("free %llx\n", NameOf(object));
  return release(object);
}

// Calls `patch` with the object's table if it is not patched yet.
template <typename Patch>
void PatchOnce(void* object, Patch patch) {
  void** const table = *static_cast<void***>(object);
  AcquireSRWLockExclusive(&patching);
  if (releases.count(table) == 0) {
    bridge::Replace(table, kRelease, &ReleaseNoted, &releases[table]);
    patch(table);
  }
  ReleaseSRWLockExclusive(&patching);
}

// The queue waits for this fence before each submission, which imitates a slow GPU.
struct Gate {
  ID3D12Fence* fence = nullptr;
  HANDLE submissions = nullptr;
  UINT64 submitted = 0;
} gate;

DWORD WINAPI OpenGate(void*) {
  for (UINT64 value = 1;; ++value) {
    WaitForSingleObject(gate.submissions, INFINITE);
    Sleep(kMillisecondsPerSubmission);
    gate.fence->Signal(value);
  }
}

void WINAPI ExecuteNoted(ID3D12CommandQueue* queue, UINT count, ID3D12CommandList* const* lists) {
  char names[128] = "";
  for (UINT i = 0; i < count && i < 4; ++i) {
    std::snprintf(names + std::strlen(names), sizeof names - std::strlen(names), " %llx", NameOf(lists[i]));
  }
  Note("execute%s\n", names);
  queue->Wait(gate.fence, ++gate.submitted);
  wine_execute_command_lists(queue, count, lists);
  ReleaseSemaphore(gate.submissions, 1, nullptr);
}

HRESULT WINAPI SignalNoted(ID3D12CommandQueue* queue, ID3D12Fence* signalled, UINT64 value) {
  if (Fails(L"signal")) return E_OUTOFMEMORY;
  if (fence != signalled) {
    signalled->AddRef();
    fence = signalled;
  }
  Note("signal %llu\n", static_cast<Name>(value));
  return wine_signal(queue, signalled, value);
}

HRESULT WINAPI CreatePatchedQueue(ID3D12Device* device, const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid,
                                  void** queue) {
  const HRESULT result = wine_create_command_queue(device, desc, iid, queue);
  if (FAILED(result)) return result;
  PatchOnce(*queue, [&](void** table) {
    device->CreateFence(0, D3D12_FENCE_FLAG_NONE, __uuidof(ID3D12Fence), reinterpret_cast<void**>(&gate.fence));
    gate.submissions = CreateSemaphoreW(nullptr, 0, MAXLONG, nullptr);
    CloseHandle(CreateThread(nullptr, 0, &OpenGate, nullptr, 0, nullptr));
    bridge::Replace(table, kExecuteCommandLists, &ExecuteNoted, &wine_execute_command_lists);
    bridge::Replace(table, kSignal, &SignalNoted, &wine_signal);
  });
  return result;
}

HRESULT WINAPI ResetAllocatorNoted(ID3D12CommandAllocator* allocator) {
  Note("reset %llx\n", NameOf(allocator));
  return wine_reset_allocator(allocator);
}

HRESULT WINAPI CreatePatchedAllocator(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type, REFIID iid,
                                      void** allocator) {
  const HRESULT result = wine_create_command_allocator(device, type, iid, allocator);
  if (FAILED(result)) return result;
  PatchOnce(*allocator,
            [](void** table) { bridge::Replace(table, kResetAllocator, &ResetAllocatorNoted, &wine_reset_allocator); });
  return result;
}

HRESULT WINAPI CreateDescriptorHeapNoted(ID3D12Device* device, const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid,
                                         void** created) {
  if (Fails(L"heap")) return E_OUTOFMEMORY;
  const HRESULT result = wine_create_descriptor_heap(device, desc, iid, created);
  if (FAILED(result) || (desc->Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) == 0) return result;
  auto* const heap = static_cast<ID3D12DescriptorHeap*>(*created);
  PatchOnce(heap, [](void**) {});
  Note("heap %llx %llx %llx %u %u\n", NameOf(heap), static_cast<Name>(heap->GetCPUDescriptorHandleForHeapStart().ptr),
       static_cast<Name>(heap->GetGPUDescriptorHandleForHeapStart().ptr), desc->NumDescriptors,
       device->GetDescriptorHandleIncrementSize(desc->Type));
  return result;
}

void WINAPI CreateUnorderedAccessViewNoted(ID3D12Device* device, ID3D12Resource* resource, ID3D12Resource* counter,
                                           const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc,
                                           D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Note("view %llx %llx\n", static_cast<Name>(handle.ptr), NameOf(resource));
  wine_create_unordered_access_view(device, resource, counter, desc, handle);
}

HRESULT WINAPI CreatePatchedResource(ID3D12Device* device, const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS flags,
                                     const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                     const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) {
  const HRESULT result = wine_create_committed_resource(device, heap, flags, desc, state, clear, iid, resource);
  if (SUCCEEDED(result)) PatchOnce(*resource, [](void**) {});
  return result;
}

HRESULT WINAPI CloseOrFail(ID3D12GraphicsCommandList* list) {
  const HRESULT result = wine_close(list);
  return Fails(L"close") ? E_OUTOFMEMORY : result;
}

HRESULT WINAPI ResetNoted(ID3D12GraphicsCommandList* list, ID3D12CommandAllocator* allocator,
                          ID3D12PipelineState* state) {
  Note("open %llx %llx\n", NameOf(list), NameOf(allocator));
  return wine_reset(list, allocator, state);
}

void WINAPI CopyBufferRegionNoted(ID3D12GraphicsCommandList* list, ID3D12Resource* target, UINT64 target_offset,
                                  ID3D12Resource* source, UINT64 source_offset, UINT64 size) {
  Note("copy %llx %llx %llx\n", NameOf(list), NameOf(target), NameOf(source));
  wine_copy_buffer_region(list, target, target_offset, source, source_offset, size);
}

void WINAPI SetDescriptorHeapsNoted(ID3D12GraphicsCommandList* list, UINT count, ID3D12DescriptorHeap* const* heaps) {
  Note("heaps %llx %llx\n", NameOf(list), count == 0 ? 0 : NameOf(heaps[0]));
  wine_set_descriptor_heaps(list, count, heaps);
}

void WINAPI SetComputeRootDescriptorTableNoted(ID3D12GraphicsCommandList* list, UINT parameter,
                                               D3D12_GPU_DESCRIPTOR_HANDLE handle) {
  Note("table %llx %llx\n", NameOf(list), static_cast<Name>(handle.ptr));
  wine_set_compute_root_descriptor_table(list, parameter, handle);
}

void WINAPI RecordDispatchNoted(IUnknown* recorder, ID3D12CommandList* list, IUnknown* dispatchable,
                                IUnknown* bindings) {
  PatchOnce(dispatchable, [](void**) {});
  Note("operator %llx %llx\n", NameOf(list), NameOf(dispatchable));
  directml_record_dispatch(recorder, list, dispatchable, bindings);
}

// Patches the table of DirectML's command recorder, which is the same on every device. A program must load DirectML
// before it creates a device.
void PatchCommandRecorder(ID3D12Device* device) {
  constexpr GUID kDevice = {0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
  constexpr GUID kRecorder = {0xe6857a76, 0x2e3e, 0x4fdd, {0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53}};
  using CreateDevice = HRESULT(WINAPI*)(ID3D12Device*, int, REFIID, void**);
  using CreateCommandRecorder = HRESULT(WINAPI*)(IUnknown*, REFIID, void**);
  const HMODULE library = GetModuleHandleW(L"DirectML.dll");
  if (library == nullptr) return;
  const auto create =
      reinterpret_cast<CreateDevice>(reinterpret_cast<void (*)()>(GetProcAddress(library, "DMLCreateDevice")));
  IUnknown* directml = nullptr;
  IUnknown* recorder = nullptr;
  if (create == nullptr || FAILED(create(device, 0, kDevice, reinterpret_cast<void**>(&directml)))) return;
  const auto create_recorder =
      reinterpret_cast<CreateCommandRecorder>((*reinterpret_cast<void***>(directml))[kCreateCommandRecorder]);
  if (SUCCEEDED(create_recorder(directml, kRecorder, reinterpret_cast<void**>(&recorder)))) {
    PatchOnce(recorder, [](void** table) {
      bridge::Replace(table, kRecordDispatch, &RecordDispatchNoted, &directml_record_dispatch);
    });
    recorder->Release();
  }
  directml->Release();
}

}  // namespace

namespace bridge {

void PatchDeviceExecution(ID3D12Device* device, void** table) {
  if (Notes() == INVALID_HANDLE_VALUE) return;
  Replace(table, kCreateCommandQueue, &CreatePatchedQueue, &wine_create_command_queue);
  Replace(table, kCreateCommandAllocator, &CreatePatchedAllocator, &wine_create_command_allocator);
  Replace(table, kCreateDescriptorHeap, &CreateDescriptorHeapNoted, &wine_create_descriptor_heap);
  Replace(table, kCreateUnorderedAccessView, &CreateUnorderedAccessViewNoted, &wine_create_unordered_access_view);
  Replace(table, kCreateCommittedResource, &CreatePatchedResource, &wine_create_committed_resource);
  PatchCommandRecorder(device);
}

void PatchListExecution(ID3D12GraphicsCommandList* list, ID3D12CommandAllocator* allocator) {
  if (Notes() == INVALID_HANDLE_VALUE) return;
  PatchOnce(list, [](void** table) {
    Replace(table, kClose, &CloseOrFail, &wine_close);
    Replace(table, kReset, &ResetNoted, &wine_reset);
    Replace(table, kCopyBufferRegion, &CopyBufferRegionNoted, &wine_copy_buffer_region);
    Replace(table, kSetDescriptorHeaps, &SetDescriptorHeapsNoted, &wine_set_descriptor_heaps);
    Replace(table, kSetComputeRootDescriptorTable, &SetComputeRootDescriptorTableNoted,
            &wine_set_compute_root_descriptor_table);
  });
  Note("open %llx %llx\n", NameOf(list), NameOf(allocator));
}

}  // namespace bridge
