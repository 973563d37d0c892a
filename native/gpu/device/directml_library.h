/**
 * Finds and loads DirectML.dll. If a path is given, only that file is tried; otherwise the file beside the addon, then the
 * one in System32. Errors name the paths that were tried and the reason. Direct3D must be loaded first (d3d12_library.h).
 * Other DLLs that DirectML.dll needs come from System32, never from its own folder.
 */
#pragma once

#include <string>

#include "platform/compat.h"

namespace ndml {

struct DirectMLLibrary {
  using CreateDevice1 = HRESULT(WINAPI*)(ID3D12Device*, DML_CREATE_DEVICE_FLAGS, DML_FEATURE_LEVEL, REFIID, void**);

  CreateDevice1 create_device1 = nullptr;
  std::string path;
  /** File version such as "1.15.4.0"; empty if the file has none. */
  std::string version;
};

/**
 * True if the path starts with a drive and a separator or with a network share, so that it does not depend on a current
 * directory, and has no NUL, which would truncate it.
 */
bool IsAbsolutePath(const std::string& path);

/**
 * Both paths must be absolute or empty. Throws ERR_DIRECTML_NOT_FOUND, ERR_DIRECTML_NOT_A_DLL or ERR_DIRECTML_TOO_OLD.
 */
DirectMLLibrary LoadDirectML(const std::string& explicit_path, const std::string& addon_directory);

}  // namespace ndml
