/**
 * The addon imports Node-API from "node.exe". In Electron, or when node.exe was renamed, the functions are in the
 * program that runs, under another name: this hook hands that program to the delay loader. It serves both compilers.
 */
#include <windows.h>

#include <delayimp.h>

#include <cstdint>

namespace {

FARPROC WINAPI MapNodeToHost(unsigned event, DelayLoadInfo* info) {
#ifndef _MSC_VER
  // binutils 2.40 and later put the delay-load address table into a read-only section, and mingw's helper writes
  // to it all the same. MSVC's makes it writable itself.
  if (event == dliStartProcessing) {
    DWORD before = 0;
    ::VirtualProtect(info->ppfn, sizeof(*info->ppfn), PAGE_READWRITE, &before);
    return nullptr;
  }
#endif
  if (event != dliNotePreLoadLibrary || ::lstrcmpiA(info->szDll, "node.exe") != 0) return nullptr;
  // A host that keeps Node in a DLL (libnode, some Electron forks) exports the functions from there.
  HMODULE host = ::GetModuleHandleW(L"libnode.dll");
  if (host == nullptr) host = ::GetModuleHandleW(nullptr);
  // By way of a number: MSVC warns of a cast from a data pointer to a function pointer.
  return reinterpret_cast<FARPROC>(reinterpret_cast<std::uintptr_t>(host));
}

}  // namespace

// <delayimp.h> declares it: const for MSVC, not const for mingw, and with C linkage for both.
extern "C" {
#ifdef _MSC_VER
const PfnDliHook __pfnDliNotifyHook2 = MapNodeToHost;
#else
PfnDliHook __pfnDliNotifyHook2 = MapNodeToHost;
#endif
}
