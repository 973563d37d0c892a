/**
 * The addon imports Node-API from "node.exe". In Electron, or when node.exe was renamed, the functions are in the
 * program that runs, under another name: this hook hands that program to the delay loader. It serves both compilers.
 */
#include <windows.h>

#include <delayimp.h>

namespace {

FARPROC WINAPI MapNodeToHost(unsigned event, DelayLoadInfo* info) {
  if (event != dliNotePreLoadLibrary || ::lstrcmpiA(info->szDll, "node.exe") != 0) return nullptr;
  // A host that keeps Node in a DLL (libnode, some Electron forks) exports the functions from there.
  HMODULE host = ::GetModuleHandleW(L"libnode.dll");
  if (host == nullptr) host = ::GetModuleHandleW(nullptr);
  return reinterpret_cast<FARPROC>(host);
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
