// Implements ID3D12Device::CreateSharedHandle, OpenSharedHandle and OpenSharedHandleByName inside one process, because
// Wine's methods fail with E_NOTIMPL.
//
// A shared handle is the handle of an event, so that the kernel closes, duplicates and reuses it as it does on Windows.
// The name of the event finds the shared object. The object lives while a handle of the event or a pointer to the object
// exists. Closed handles are only noticed at the next call of one of these methods, which then releases their objects.
#include "bridge.h"

#include <winternl.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace {

// Positions in the virtual function table of ID3D12Device.
constexpr std::size_t kCreateSharedHandle = 31;
constexpr std::size_t kOpenSharedHandle = 32;
constexpr std::size_t kOpenSharedHandleByName = 33;

constexpr HRESULT kNameAlreadyExists = static_cast<HRESULT>(0x887A002C);  // DXGI_ERROR_NAME_ALREADY_EXISTS
constexpr auto kObjectNameInformation = static_cast<OBJECT_INFORMATION_CLASS>(1);

using CreateSharedHandle = HRESULT(WINAPI*)(ID3D12Device*, ID3D12DeviceChild*, const SECURITY_ATTRIBUTES*, DWORD,
                                            const WCHAR*, HANDLE*);
using OpenSharedHandle = HRESULT(WINAPI*)(ID3D12Device*, HANDLE, REFIID, void**);
using OpenSharedHandleByName = HRESULT(WINAPI*)(ID3D12Device*, const WCHAR*, DWORD, HANDLE*);

CreateSharedHandle wine_create_shared_handle;
OpenSharedHandle wine_open_shared_handle;
OpenSharedHandleByName wine_open_shared_handle_by_name;

template <typename Interface>
class Pointer {
 public:
  Pointer() = default;
  ~Pointer() {
    if (pointer_ != nullptr) pointer_->Release();
  }
  Pointer(const Pointer&) = delete;
  Pointer& operator=(const Pointer&) = delete;
  Interface* operator->() const { return pointer_; }
  bool operator==(const Pointer& other) const { return pointer_ == other.pointer_; }
  bool From(IUnknown* object) {
    return SUCCEEDED(object->QueryInterface(__uuidof(Interface), reinterpret_cast<void**>(&pointer_)));
  }

 private:
  Interface* pointer_ = nullptr;
};

struct Shared {
  HANDLE event;  // the bridge's own handle
  ID3D12DeviceChild* object;
};

SRWLOCK sharing = SRWLOCK_INIT;
std::map<std::wstring, Shared> shared_objects;  // by the full name of the event

// Empty if the handle is invalid, or if its object has no name.
std::wstring NameOf(HANDLE handle) {
  union {
    UNICODE_STRING name;
    wchar_t space[1024];
  } answer;
  if (NtQueryObject(handle, kObjectNameInformation, &answer, sizeof answer, nullptr) < 0) return {};
  return {answer.name.Buffer, answer.name.Length / sizeof(wchar_t)};
}

bool IsOnlyHandle(HANDLE handle) {
  PUBLIC_OBJECT_BASIC_INFORMATION counts = {};
  return NtQueryObject(handle, ObjectBasicInformation, &counts, sizeof counts, nullptr) >= 0 && counts.HandleCount == 1;
}

// Releases the objects whose handles are all closed.
void Sweep() {
  std::vector<ID3D12DeviceChild*> unreachable;
  AcquireSRWLockExclusive(&sharing);
  for (auto entry = shared_objects.begin(); entry != shared_objects.end();) {
    if (IsOnlyHandle(entry->second.event)) {
      CloseHandle(entry->second.event);
      unreachable.push_back(entry->second.object);
      entry = shared_objects.erase(entry);
    } else {
      ++entry;
    }
  }
  ReleaseSRWLockExclusive(&sharing);
  for (ID3D12DeviceChild* object : unreachable) object->Release();
}

// True if the object was created to be shared.
bool IsShareable(IUnknown* object) {
  Pointer<ID3D12Resource> resource;
  Pointer<ID3D12Heap> heap;
  Pointer<ID3D12Fence1> fence;
  D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
  if (resource.From(object)) {
    if (FAILED(resource->GetHeapProperties(nullptr, &flags))) return false;
  } else if (heap.From(object)) {
    flags = heap->GetDesc().Flags;
  } else if (fence.From(object)) {
    return (fence->GetCreationFlags() & D3D12_FENCE_FLAG_SHARED) != 0;
  }
  return (flags & D3D12_HEAP_FLAG_SHARED) != 0;
}

bool IsOf(ID3D12DeviceChild* object, ID3D12Device* device) {
  Pointer<IUnknown> wanted;
  Pointer<IUnknown> found;
  IUnknown* parent = nullptr;
  if (FAILED(object->GetDevice(__uuidof(IUnknown), reinterpret_cast<void**>(&parent)))) return false;
  const bool same = wanted.From(device) && found.From(parent) && wanted == found;
  parent->Release();
  return same;
}

HRESULT WINAPI CreateSharedEvent(ID3D12Device* device, ID3D12DeviceChild* object, const SECURITY_ATTRIBUTES* attributes,
                                 DWORD access, const WCHAR* name, HANDLE* handle) {
  if (object == nullptr || handle == nullptr || access != GENERIC_ALL) return E_INVALIDARG;
  if (name != nullptr && *name == 0) return E_INVALIDARG;
  if (!IsOf(object, device) || !IsShareable(object)) return E_INVALIDARG;
  Sweep();
  std::wstring event_name;
  if (name != nullptr) {
    event_name = name;
  } else {
    static std::atomic<unsigned> last_number{0};
    event_name = L"Local\\node-directml-bridge-" + std::to_wstring(GetCurrentProcessId()) + L"-" +
                 std::to_wstring(++last_number);
  }
  const HANDLE event = CreateEventW(const_cast<SECURITY_ATTRIBUTES*>(attributes), TRUE, FALSE, event_name.c_str());
  if (event == nullptr) return HRESULT_FROM_WIN32(GetLastError());
  HANDLE own = nullptr;
  if (GetLastError() == ERROR_ALREADY_EXISTS) {
    CloseHandle(event);
    return kNameAlreadyExists;
  }
  if (!DuplicateHandle(GetCurrentProcess(), event, GetCurrentProcess(), &own, 0, FALSE, DUPLICATE_SAME_ACCESS)) {
    CloseHandle(event);
    return E_OUTOFMEMORY;
  }
  object->AddRef();
  AcquireSRWLockExclusive(&sharing);
  shared_objects[NameOf(own)] = {own, object};
  ReleaseSRWLockExclusive(&sharing);
  *handle = event;
  return S_OK;
}

HRESULT WINAPI OpenSharedEvent(ID3D12Device* device, HANDLE handle, REFIID iid, void** object) {
  if (object == nullptr) return E_INVALIDARG;
  *object = nullptr;
  Sweep();
  HRESULT result = E_INVALIDARG;
  AcquireSRWLockShared(&sharing);
  const auto entry = shared_objects.find(NameOf(handle));
  if (entry != shared_objects.end() && IsOf(entry->second.object, device)) {
    result = entry->second.object->QueryInterface(iid, object);
  }
  ReleaseSRWLockShared(&sharing);
  return result;
}

HRESULT WINAPI OpenSharedEventByName(ID3D12Device*, const WCHAR* name, DWORD access, HANDLE* handle) {
  if (name == nullptr || handle == nullptr || access != GENERIC_ALL) return E_INVALIDARG;
  Sweep();
  const HANDLE event = OpenEventW(EVENT_ALL_ACCESS, FALSE, name);
  if (event == nullptr) return HRESULT_FROM_WIN32(GetLastError());
  AcquireSRWLockShared(&sharing);
  const bool is_shared = shared_objects.count(NameOf(event)) != 0;
  ReleaseSRWLockShared(&sharing);
  if (!is_shared) {
    CloseHandle(event);
    return E_INVALIDARG;
  }
  *handle = event;
  return S_OK;
}

}  // namespace

namespace bridge {

void PatchSharing(void** table) {
  Replace(table, kCreateSharedHandle, &CreateSharedEvent, &wine_create_shared_handle);
  Replace(table, kOpenSharedHandle, &OpenSharedEvent, &wine_open_shared_handle);
  Replace(table, kOpenSharedHandleByName, &OpenSharedEventByName, &wine_open_shared_handle_by_name);
}

}  // namespace bridge
