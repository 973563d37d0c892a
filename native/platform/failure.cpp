#include "platform/failure.h"

#include <cstdio>

namespace ndml {

namespace {

struct NamedResult {
  unsigned long value;
  const char* name;
};

// The values are written as numbers, because mingw's headers lack some of the names.
constexpr NamedResult kNamedResults[] = {
    {0x80004001, "E_NOTIMPL"},
    {0x80004002, "E_NOINTERFACE"},
    {0x80004003, "E_POINTER"},
    {0x80004004, "E_ABORT"},
    {0x80004005, "E_FAIL"},
    {0x8000FFFF, "E_UNEXPECTED"},
    {0x80070002, "ERROR_FILE_NOT_FOUND"},
    {0x80070003, "ERROR_PATH_NOT_FOUND"},
    {0x80070005, "E_ACCESSDENIED"},
    {0x80070006, "E_HANDLE"},
    {0x8007000E, "E_OUTOFMEMORY"},
    {0x80070057, "E_INVALIDARG"},
    {0x8007007E, "ERROR_MOD_NOT_FOUND"},
    {0x8007007F, "ERROR_PROC_NOT_FOUND"},
    {0x800700C1, "ERROR_BAD_EXE_FORMAT"},
    {0x80070032, "ERROR_NOT_SUPPORTED"},
    {0x800705AF, "ERROR_COMMITMENT_LIMIT"},
    {0x887A0001, "DXGI_ERROR_INVALID_CALL"},
    {0x887A0002, "DXGI_ERROR_NOT_FOUND"},
    {0x887A0004, "DXGI_ERROR_UNSUPPORTED"},
    {0x887A0005, "DXGI_ERROR_DEVICE_REMOVED"},
    {0x887A0006, "DXGI_ERROR_DEVICE_HUNG"},
    {0x887A0007, "DXGI_ERROR_DEVICE_RESET"},
    {0x887A000A, "DXGI_ERROR_WAS_STILL_DRAWING"},
    {0x887A0020, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"},
    {0x887A0022, "DXGI_ERROR_NOT_CURRENTLY_AVAILABLE"},
    {0x887A002B, "DXGI_ERROR_ACCESS_DENIED"},
    {0x887A002C, "DXGI_ERROR_NAME_ALREADY_EXISTS"},
    {0x887A002D, "DXGI_ERROR_SDK_COMPONENT_MISSING"},
    {0x887E0001, "D3D12_ERROR_ADAPTER_NOT_FOUND"},
    {0x887E0002, "D3D12_ERROR_DRIVER_VERSION_MISMATCH"},
    {0x887E0003, "D3D12_ERROR_INVALID_REDIST"},
};

}  // namespace

std::string HresultName(HRESULT result) {
  const auto value = static_cast<unsigned long>(result);
  for (const NamedResult& named : kNamedResults) {
    if (named.value == value) return named.name;
  }
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08lX", value);
  return text;
}

bool IsRemoval(HRESULT result) {
  switch (static_cast<unsigned long>(result)) {
    case 0x887A0005:
    case 0x887A0006:
    case 0x887A0007:
    case 0x887A0020:
      return true;
    default:
      return false;
  }
}

Failure CallFailure(const char* call, HRESULT result) {
  const char* code = "ERR_NATIVE_CALL";
  const auto value = static_cast<unsigned long>(result);
  if (IsRemoval(result)) code = "ERR_DEVICE_LOST";
  if (value == 0x8007000E || value == 0x800705AF) code = "ERR_OUT_OF_MEMORY";
  return Failure(code, std::string(call) + " failed with " + HresultName(result)).Call(call, result);
}

std::string ToUtf8(const std::wstring& text) {
  if (text.empty()) return {};
  const int length = static_cast<int>(text.size());
  const int size = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
  std::string utf8(static_cast<size_t>(size), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, utf8.data(), size, nullptr, nullptr);
  return utf8;
}

std::wstring ToWide(const std::string& text) {
  if (text.empty()) return {};
  const int length = static_cast<int>(text.size());
  const int size = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0);
  std::wstring wide(static_cast<size_t>(size), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, wide.data(), size);
  return wide;
}

}  // namespace ndml
