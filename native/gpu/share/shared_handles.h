/** The kernel's handles of buffers, textures and fences, by which processes and other code share them. */
#pragma once

#include <cstdint>
#include <string>

#include "platform/com_ptr.h"
#include "platform/failure.h"

namespace ndml {

enum class SharedKind { kBuffer, kTexture, kFence };

/** A Direct3D object of other code. Not checked, except that `object` is not null. */
struct Foreign {
  ComPtr<IUnknown> object;
  /** The argument that named it, for errors. */
  const char* field = "external";
  /** A handle of the object that we own. Null if there is none. */
  UniqueHandle handle = {};
};

/** The error ERR_NOT_SHAREABLE of the argument `field`. */
Failure NotShareable(const char* field, const std::string& expected, const std::string& given,
                     const std::string& advice);

/** Creates a handle of an object that was created to be shared. An empty name is none. */
UniqueHandle CreateSharedHandle(ID3D12Device* device, ID3D12DeviceChild* object, const std::wstring& name);

/** Opens a handle, which stays the caller's. Throws ERR_NOT_SHAREABLE unless it is the handle of a `wanted` object. */
Foreign OpenSharedHandle(ID3D12Device* device, HANDLE handle, SharedKind wanted);

/** The same for the name of a handle. */
Foreign OpenSharedName(ID3D12Device* device, const std::wstring& name, SharedKind wanted);

/** True if both are handles of the same object. */
bool IsSameObject(HANDLE a, HANDLE b);

}  // namespace ndml
