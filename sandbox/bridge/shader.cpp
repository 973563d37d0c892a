// Replaces DirectML's shader ElementWiseVectorized, which Wine cannot read. Each use is counted, so that a test can count
// its case as "with one shader replaced": the exported function NodeDirectMLBridgeShadersReplaced returns the number
// so far, and a line "ElementWiseVectorized" is appended to the file that the environment variable
// NODE_DIRECTML_BRIDGE_LOG names (process.env may set it at any time).
#include "bridge.h"

#include <d3dcompiler.h>

#include <atomic>
#include <cstdint>

#include "element_wise_vectorized.h"

namespace {

// The length in bytes and the FNV-1a hash of the shader in DirectML 1.15.4.
constexpr SIZE_T kOriginalLength = 2592;
constexpr std::uint32_t kOriginalHash = 0x52f1a6cb;

std::atomic<unsigned> replacements{0};

std::uint32_t Fnv1a(const void* data, SIZE_T length) {
  std::uint32_t hash = 0x811c9dc5;
  for (SIZE_T i = 0; i < length; ++i) {
    hash = (hash ^ static_cast<const std::uint8_t*>(data)[i]) * 0x01000193;
  }
  return hash;
}

ID3DBlob* CompileReplacement() {
  const HMODULE compiler = LoadLibraryW(L"d3dcompiler_47.dll");
  if (compiler == nullptr) return nullptr;
  const auto compile = reinterpret_cast<pD3DCompile>(GetProcAddress(compiler, "D3DCompile"));
  if (compile == nullptr) return nullptr;
  ID3DBlob* code = nullptr;
  ID3DBlob* messages = nullptr;
  compile(kElementWiseVectorized, sizeof kElementWiseVectorized - 1, "element_wise_vectorized.hlsl", nullptr, nullptr,
          "CSMain", "cs_5_0", 0, 0, &code, &messages);
  if (messages != nullptr) {
    OutputDebugStringA(static_cast<const char*>(messages->GetBufferPointer()));
    messages->Release();
  }
  return code;
}

}  // namespace

namespace bridge {

bool IsElementWiseVectorized(const D3D12_SHADER_BYTECODE& shader) {
  return shader.BytecodeLength == kOriginalLength && Fnv1a(shader.pShaderBytecode, kOriginalLength) == kOriginalHash;
}

D3D12_SHADER_BYTECODE ElementWiseVectorizedReplacement() {
  static ID3DBlob* const code = CompileReplacement();  // kept for the life of the process
  if (code == nullptr) return {};
  return {code->GetBufferPointer(), code->GetBufferSize()};
}

void CountReplacement() {
  ++replacements;
  wchar_t path[MAX_PATH];
  const DWORD length = GetEnvironmentVariableW(L"NODE_DIRECTML_BRIDGE_LOG", path, MAX_PATH);
  if (length == 0 || length >= MAX_PATH) return;
  const HANDLE file = CreateFileW(path, FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_ALWAYS,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return;
  static const char line[] = "ElementWiseVectorized\n";
  DWORD written = 0;
  WriteFile(file, line, sizeof line - 1, &written, nullptr);
  CloseHandle(file);
}

}  // namespace bridge

extern "C" unsigned WINAPI NodeDirectMLBridgeShadersReplaced() { return replacements; }
