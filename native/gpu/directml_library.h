/**
 * Finds and loads DirectML.dll: exactly the file that was asked for, else the one beside the addon, else the
 * system's. When that fails the error says which paths were tried and what is wrong with each. Direct3D has been loaded
 * before (d3d12_library.h); what else the DLL needs comes from the system's folder and never from the DLL's own.
 */
#pragma once

#include <string>

#include "platform/compat.h"

namespace ndml {

struct DirectMLLibrary {
  using CreateDevice1 = HRESULT(WINAPI*)(ID3D12Device*, DML_CREATE_DEVICE_FLAGS, DML_FEATURE_LEVEL, REFIID, void**);

  CreateDevice1 create_device1 = nullptr;
  std::string path;
  /** File version such as "1.15.4.0"; empty where the file carries none. */
  std::string version;
};

/** With a drive or a network share, so that no current directory has a say; and without a NUL, which would cut it. */
bool IsAbsolutePath(const std::string& path);

/** Both paths absolute, or empty. Throws ERR_DIRECTML_NOT_FOUND, ERR_DIRECTML_NOT_A_DLL or ERR_DIRECTML_TOO_OLD. */
DirectMLLibrary LoadDirectML(const std::string& explicit_path, const std::string& addon_directory);

}  // namespace ndml
