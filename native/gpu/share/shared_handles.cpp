#include "gpu/share/shared_handles.h"

#include <winternl.h>

#include <cstdio>

#include "gpu/device/adapter.h"

namespace ndml {

namespace {

const char* NounOf(SharedKind kind) {
  switch (kind) {
    case SharedKind::kBuffer:
      return "buffer";
    case SharedKind::kTexture:
      return "texture";
    default:
      return "fence";
  }
}

const GUID& IidOf(SharedKind kind) {
  return kind == SharedKind::kFence ? Iid<ID3D12Fence>::value : Iid<ID3D12Resource>::value;
}

template <typename Function>
Function Find(const wchar_t* library, const char* name) {
  const HMODULE module = ::GetModuleHandleW(library);
  return module == nullptr ? nullptr : Procedure<Function>(module, name);
}

/** The kernel's name for the kind of a handle's object, such as `File`. Empty if the handle is not open. */
std::string KindOf(HANDLE handle) {
  using Query = NTSTATUS(NTAPI*)(HANDLE, OBJECT_INFORMATION_CLASS, void*, ULONG, ULONG*);
  const auto query = Find<Query>(L"ntdll.dll", "NtQueryObject");
  union {
    UNICODE_STRING name;
    wchar_t space[512];
  } answer;
  if (query == nullptr || query(handle, ObjectTypeInformation, &answer, sizeof answer, nullptr) < 0) return {};
  return ToUtf8(std::wstring(answer.name.Buffer, answer.name.Length / sizeof(wchar_t)));
}

UniqueHandle Duplicate(HANDLE handle) {
  const HANDLE process = ::GetCurrentProcess();
  HANDLE duplicate = nullptr;
  if (!::DuplicateHandle(process, handle, process, &duplicate, 0, FALSE, DUPLICATE_SAME_ACCESS)) return {};
  return UniqueHandle(duplicate);
}

std::string Hex(HANDLE handle) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(handle)));
  return text;
}

/** `result` is that of ID3D12Device::OpenSharedHandle. */
Failure NotOpened(ID3D12Device* device, HANDLE handle, const char* field, SharedKind wanted, HRESULT result) {
  const std::string noun = NounOf(wanted);
  const std::string expected = "the handle of a " + noun;
  const bool is_fence = wanted == SharedKind::kFence;
  ComPtr<IUnknown> other;
  if (SUCCEEDED(device->OpenSharedHandle(handle, is_fence ? Iid<ID3D12Resource>::value : Iid<ID3D12Fence>::value,
                                         other.Put()))) {
    return NotShareable(field, expected, is_fence ? "that of a resource" : "that of a fence",
                        is_fence ? "import it with importBuffer or importTexture" : "import it with importFence");
  }
  const std::string kind = KindOf(handle);
  if (kind.empty()) {
    return NotShareable(
        field, expected, Hex(handle) + ", which is not open in this process",
        "import it before its owner closes it; from another process, duplicate it with DuplicateHandle");
  }
  return NotShareable(
      field, expected,
      Hex(handle) + ", the handle of an object of the kind " + kind + ", which Direct3D refuses (" +
          HresultName(result) + ")",
      "pass a handle that ID3D12Device::CreateSharedHandle or IDXGIResource1::CreateSharedHandle has made on "
      "the adapter " +
          FormatLuid(AdapterLuid(device)));
}

Foreign Open(ID3D12Device* device, HANDLE handle, const char* field, SharedKind wanted) {
  Foreign foreign;
  foreign.field = field;
  const HRESULT result = device->OpenSharedHandle(handle, IidOf(wanted), foreign.object.Put());
  if (IsRemoval(result) || result == E_OUTOFMEMORY) throw CallFailure("ID3D12Device::OpenSharedHandle", result);
  if (FAILED(result) || !foreign.object) throw NotOpened(device, handle, field, wanted, result);
  foreign.handle = Duplicate(handle);
  return foreign;
}

}  // namespace

Failure NotShareable(const char* field, const std::string& expected, const std::string& given,
                     const std::string& advice) {
  return Failure("ERR_NOT_SHAREABLE",
                 std::string(field) + ": expected " + expected + ", given " + given + "; " + advice)
      .Field(field);
}

UniqueHandle CreateSharedHandle(ID3D12Device* device, ID3D12DeviceChild* object, const std::wstring& name) {
  HANDLE handle = nullptr;
  const HRESULT result =
      device->CreateSharedHandle(object, nullptr, GENERIC_ALL, name.empty() ? nullptr : name.c_str(), &handle);
  if (SUCCEEDED(result)) return UniqueHandle(handle);
  if (name.empty() || IsRemoval(result) || result == E_OUTOFMEMORY) {
    throw CallFailure("ID3D12Device::CreateSharedHandle", result);
  }
  const char* const expected = result == DXGI_ERROR_NAME_ALREADY_EXISTS
                                   ? "a name that no other kernel object has"
                                   : "a name of a kernel object, such as 'Local\\frames'";
  throw Failure("ERR_INVALID_ARGUMENT", std::string("name: expected ") + expected + ", given '" + ToUtf8(name) + "' (" +
                                            HresultName(result) + ")")
      .Field("name")
      .Call("ID3D12Device::CreateSharedHandle", result);
}

Foreign OpenSharedHandle(ID3D12Device* device, HANDLE handle, SharedKind wanted) {
  return Open(device, handle, "handle", wanted);
}

Foreign OpenSharedName(ID3D12Device* device, const std::wstring& name, SharedKind wanted) {
  HANDLE opened = nullptr;
  const HRESULT result = device->OpenSharedHandleByName(name.c_str(), GENERIC_ALL, &opened);
  if (IsRemoval(result) || result == E_OUTOFMEMORY) throw CallFailure("ID3D12Device::OpenSharedHandleByName", result);
  if (FAILED(result)) {
    throw NotShareable("name", std::string("the name of a shared ") + NounOf(wanted),
                       "'" + ToUtf8(name) + "' (" + HresultName(result) + ")",
                       "a name lasts while a handle with it is open, and `Local\\` names are those of one session");
  }
  const UniqueHandle handle(opened);
  return Open(device, handle.Get(), "name", wanted);
}

bool IsSameObject(HANDLE a, HANDLE b) {
  using Compare = BOOL(WINAPI*)(HANDLE, HANDLE);
  static const auto compare = Find<Compare>(L"kernelbase.dll", "CompareObjectHandles");
  return a != nullptr && b != nullptr && compare != nullptr && compare(a, b);
}

}  // namespace ndml
