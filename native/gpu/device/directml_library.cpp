#include "gpu/device/directml_library.h"

#include <vector>

#include "platform/failure.h"

namespace ndml {

namespace {

std::wstring FullPath(const std::wstring& path) {
  const DWORD size = ::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr);
  if (size == 0) return path;
  std::wstring full(size, L'\0');
  full.resize(::GetFullPathNameW(path.c_str(), size, full.data(), nullptr));
  return full;
}

std::wstring SystemDirectory() {
  wchar_t buffer[MAX_PATH] = {};
  const UINT length = ::GetSystemDirectoryW(buffer, MAX_PATH);
  return std::wstring(buffer, length < MAX_PATH ? length : 0);
}

std::wstring ModulePath(HMODULE library) {
  std::wstring path(32768, L'\0');
  path.resize(::GetModuleFileNameW(library, path.data(), static_cast<DWORD>(path.size())));
  return path;
}

// version.dll is loaded at run time to keep it out of the import table; every Windows has it.
std::string FileVersion(const std::wstring& path) {
  const HMODULE library = ::LoadLibraryExW(L"version.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (library == nullptr) return {};
  const auto size_of = Procedure<DWORD(WINAPI*)(LPCWSTR, LPDWORD)>(library, "GetFileVersionInfoSizeW");
  const auto read = Procedure<BOOL(WINAPI*)(LPCWSTR, DWORD, DWORD, LPVOID)>(library, "GetFileVersionInfoW");
  const auto query = Procedure<BOOL(WINAPI*)(LPCVOID, LPCWSTR, LPVOID*, PUINT)>(library, "VerQueryValueW");
  if (size_of == nullptr || read == nullptr || query == nullptr) return {};
  DWORD ignored = 0;
  std::vector<char> data(size_of(path.c_str(), &ignored));
  if (data.empty() || !read(path.c_str(), 0, static_cast<DWORD>(data.size()), data.data())) return {};
  void* block = nullptr;
  UINT length = 0;
  if (!query(data.data(), L"\\", &block, &length) || length < sizeof(VS_FIXEDFILEINFO)) return {};
  const auto* info = static_cast<const VS_FIXEDFILEINFO*>(block);
  return std::to_string(HIWORD(info->dwFileVersionMS)) + "." + std::to_string(LOWORD(info->dwFileVersionMS)) + "." +
         std::to_string(HIWORD(info->dwFileVersionLS)) + "." + std::to_string(LOWORD(info->dwFileVersionLS));
}

Failure LoadFailure(const std::wstring& path, DWORD error) {
  const std::string name = ToUtf8(path);
  const HRESULT result = HRESULT_FROM_WIN32(error);
  if (error == ERROR_BAD_EXE_FORMAT) {
    return Failure("ERR_DIRECTML_NOT_A_DLL",
                   name + " is not a DLL that this program can load (wrong format or processor architecture)")
        .Call("LoadLibraryExW", result);
  }
  if (error == ERROR_MOD_NOT_FOUND) {
    return Failure("ERR_DIRECTML_NOT_FOUND", name + " exists, but a DLL that it needs was not found")
        .Call("LoadLibraryExW", result);
  }
  return Failure("ERR_DIRECTML_NOT_A_DLL", name + " could not be loaded: " + HresultName(result))
      .Call("LoadLibraryExW", result);
}

DirectMLLibrary Load(const std::wstring& path) {
  // LoadLibraryEx appends ".dll" to a name without a dot, and would load another file. A trailing dot prevents that.
  const bool has_dot = path.find(L'.', path.find_last_of(L'\\') + 1) != std::wstring::npos;
  const std::wstring name = has_dot ? path : path + L".";
  const HMODULE library = ::LoadLibraryExW(name.c_str(), nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (library == nullptr) throw LoadFailure(path, ::GetLastError());
  DirectMLLibrary directml;
  const std::wstring loaded = ModulePath(library);
  directml.path = ToUtf8(loaded);
  directml.version = FileVersion(loaded);
  directml.create_device1 = Procedure<DirectMLLibrary::CreateDevice1>(library, "DMLCreateDevice1");
  if (directml.create_device1 == nullptr) {
    throw Failure("ERR_DIRECTML_TOO_OLD", directml.path + " (version " +
                                              (directml.version.empty() ? "unknown" : directml.version) +
                                              ") does not export DMLCreateDevice1; DirectML 1.4 or later is needed");
  }
  return directml;
}

}  // namespace

bool IsAbsolutePath(const std::string& path) {
  const auto is_separator = [&](size_t at) { return path[at] == '\\' || path[at] == '/'; };
  if (path.size() < 3 || path.find('\0') != std::string::npos) return false;
  const bool has_drive = ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':';
  return (has_drive && is_separator(2)) || (is_separator(0) && is_separator(1));
}

// The DLL stays loaded until the process ends, like Direct3D.
DirectMLLibrary LoadDirectML(const std::string& explicit_path, const std::string& addon_directory) {
  std::vector<std::wstring> candidates;
  if (!explicit_path.empty()) {
    candidates.push_back(FullPath(ToWide(explicit_path)));
  } else {
    if (!addon_directory.empty()) candidates.push_back(FullPath(ToWide(addon_directory) + L"\\DirectML.dll"));
    candidates.push_back(SystemDirectory() + L"\\DirectML.dll");
  }
  std::string tried;
  for (const std::wstring& path : candidates) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    // A broken file is an error at once: trying the next, older DLL would hide it.
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0) return Load(path);
    tried += (tried.empty() ? "" : ", ") + ToUtf8(path);
    if (attributes != INVALID_FILE_ATTRIBUTES) tried += " (a folder)";
  }
  throw Failure("ERR_DIRECTML_NOT_FOUND", "DirectML.dll was not found; looked for " + tried);
}

}  // namespace ndml
