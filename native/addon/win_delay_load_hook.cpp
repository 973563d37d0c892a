/**
 * The addon imports Node-API from "node.exe". In Electron, or if node.exe was renamed, the running program has another
 * name. This hook makes the delay loader use the running program instead. It works with MSVC and mingw-w64.
 */
#include <windows.h>

#include <delayimp.h>

#include <cstdint>

namespace {

FARPROC WINAPI MapNodeToHost(unsigned event, DelayLoadInfo* info) {
#ifndef _MSC_VER
  // binutils 2.40 and later put the delay-load address table into a read-only section, but mingw's helper writes to it
  // without making it writable first. MSVC's helper makes it writable.
  if (event == dliStartProcessing) {
    DWORD before = 0;
    ::VirtualProtect(info->ppfn, sizeof(*info->ppfn), PAGE_READWRITE, &before);
    return nullptr;
  }
#endif
  if (event != dliNotePreLoadLibrary || ::lstrcmpiA(info->szDll, "node.exe") != 0) return nullptr;
  // Hosts that keep Node.js in a DLL (libnode, some Electron forks) export the functions from that DLL.
  HMODULE host = ::GetModuleHandleW(L"libnode.dll");
  if (host == nullptr) host = ::GetModuleHandleW(nullptr);
  // Cast through an integer, because MSVC warns about a cast from a data pointer to a function pointer.
  return reinterpret_cast<FARPROC>(reinterpret_cast<std::uintptr_t>(host));
}

}  // namespace

// Must match the declaration in <delayimp.h>: C linkage, and const for MSVC only.
extern "C" {
#ifdef _MSC_VER
const PfnDliHook __pfnDliNotifyHook2 = MapNodeToHost;
#else
PfnDliHook __pfnDliNotifyHook2 = MapNodeToHost;
#endif
}
