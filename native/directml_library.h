/**
 * Finds and loads DirectML.dll: exactly the file that was asked for, else the one beside the addon, else the
 * system's. When that fails the error says which paths were tried and what is wrong with each.
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

/** Throws ERR_DIRECTML_NOT_FOUND, ERR_DIRECTML_NOT_A_DLL or ERR_DIRECTML_TOO_OLD. */
DirectMLLibrary LoadDirectML(const std::string& explicit_path, const std::string& addon_directory);

}  // namespace ndml
