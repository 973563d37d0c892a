/** The methods of NativeDevice that share memory and fences with other code. */
#include "addon/device/device_object.h"
#include "addon/environment/addon_state.h"
#include "addon/objects/fence_object.h"
#include "addon/values/externals.h"

#include <algorithm>
#include <utility>

namespace ndml {

namespace {

/** The values that a fence can have in D3D12; UINT64_MAX stands for a removed device. */
uint64_t ReadFenceValue(const Napi::Value& value) {
  bool lossless = false;
  const uint64_t number = value.IsBigInt() ? value.As<Napi::BigInt>().Uint64Value(&lossless) : 0;
  if (lossless && number > 0 && number < UINT64_MAX) return number;
  throw Failure("ERR_INVALID_ARGUMENT", "value: expected a bigint from 1 to 2^64 - 2").Field("value");
}

/** Reads an external, a handle (a bigint), or the name of a handle (a string). */
Foreign Open(const Napi::Value& value, DeviceHost* host, SharedKind wanted) {
  if (value.IsString()) {
    const std::wstring name = ReadName(value);
    return host->Run([&] { return OpenSharedName(host->gpu().d3d12.Get(), name, wanted); });
  }
  if (!value.IsBigInt()) return ReadComObject(value);
  bool lossless = false;
  const uint64_t number = value.As<Napi::BigInt>().Uint64Value(&lossless);
  const HANDLE handle = reinterpret_cast<HANDLE>(static_cast<uintptr_t>(number));
  if (!lossless || handle == nullptr || handle == INVALID_HANDLE_VALUE) {
    throw Failure("ERR_INVALID_ARGUMENT", "handle: expected a handle, neither 0 nor INVALID_HANDLE_VALUE")
        .Field("handle");
  }
  return host->Run([&] { return OpenSharedHandle(host->gpu().d3d12.Get(), handle, wanted); });
}

std::shared_ptr<SharedFence> ReadFence(const Napi::Value& value, const DeviceHost* host) {
  const FenceObject* const object = FenceObject::From(value);
  if (object == nullptr) throw Failure("ERR_INVALID_ARGUMENT", "fence: expected a NativeFence").Field("fence");
  if (object->host().get() != host) throw Failure("ERR_WRONG_DEVICE", "the fence belongs to another device");
  if (!object->fence()) throw Failure("ERR_DISPOSED", "the fence has been disposed");
  return object->fence();
}

}  // namespace

Napi::Value DeviceObject::External(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  return DeviceExternal(info.Env(), host_->gpu(), host_->queue().d3d12());
}

Napi::Value DeviceObject::BufferExternal(const Napi::CallbackInfo& info) {
  const BufferObject& buffer = ReadBuffer(info[0]);
  host_->RequireOpen();
  const std::shared_ptr<Resource> resource = CheckedResource(buffer, host_.get(), "buffer");
  commands_.Define(resource);
  host_->sharing().Export(resource);
  return ndml::BufferExternal(info.Env(), *resource, buffer.base(), buffer.size());
}

Napi::Value DeviceObject::ImportBuffer(const Napi::CallbackInfo& info) {
  const uint64_t offset = CheckedSize(ReadNumber(info[1], "offset"), "offset");
  const bool is_sized = !info[2].IsUndefined();
  const uint64_t wanted = is_sized ? CheckedSize(ReadNumber(info[2], "sizeInBytes"), "sizeInBytes") : 0;
  host_->RequireOpen();
  ForeignBytes foreign =
      info[0].IsExternal() ? ReadForeignBytes(info[0]) : ForeignBytes{Open(info[0], host_.get(), SharedKind::kBuffer)};
  const std::shared_ptr<Resource> resource =
      host_->Run([&] { return host_->sharing().ImportBuffer(std::move(foreign.foreign)); });
  // The numbers of the external may be wrong, too.
  const uint64_t behind = foreign.offset < resource->capacity ? resource->capacity - foreign.offset : 0;
  const uint64_t available = std::min(foreign.size, behind);
  if (foreign.size != UINT64_MAX && foreign.size > RoundUp(behind, 4)) {
    throw Failure("ERR_NOT_SHAREABLE", "external: expected bytes within its buffer of " +
                                           std::to_string(resource->capacity) + " bytes, given " +
                                           std::to_string(foreign.size) + " bytes from " +
                                           std::to_string(foreign.offset) + "; correct the struct")
        .Field("external");
  }
  const uint64_t rest = offset < available ? available - offset : 0;
  const uint64_t size = is_sized ? wanted : rest / 4 * 4;
  if (size == 0 || size > rest || size % 4 != 0) {
    throw Failure("ERR_INVALID_ARGUMENT", "sizeInBytes: expected a multiple of 4 from 4 to " +
                                              std::to_string(rest / 4 * 4) + ", the bytes behind offset " +
                                              std::to_string(offset) + ", given " + std::to_string(size))
        .Field("sizeInBytes");
  }
  const uint64_t base = foreign.offset + offset;
  if (base % DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT != 0) {
    throw Failure("ERR_INVALID_ARGUMENT",
                  "offset: expected a multiple of 16 in the resource, given " + std::to_string(base))
        .Field("offset");
  }
  return BufferObject::Import(info.Env(), host_, resource, base, size);
}

Napi::Value DeviceObject::ImportTexture(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  Foreign foreign = Open(info[0], host_.get(), SharedKind::kTexture);
  return TextureObject::Create(info.Env(), host_,
                               host_->Run([&] { return host_->sharing().ImportTexture(std::move(foreign)); }));
}

Napi::Value DeviceObject::ImportFence(const Napi::CallbackInfo& info) {
  host_->RequireOpen();
  Foreign foreign = Open(info[0], host_.get(), SharedKind::kFence);
  return FenceObject::Create(info.Env(), host_,
                             host_->Run([&] { return host_->sharing().ImportFence(std::move(foreign)); }));
}

Napi::Value DeviceObject::CreateFence(const Napi::CallbackInfo& info) {
  const std::wstring name = ReadName(info[0]);
  host_->RequireOpen();
  return FenceObject::Create(info.Env(), host_, host_->Run([&] { return host_->sharing().CreateFence(name); }));
}

Napi::Value DeviceObject::CopyTexture(const Napi::CallbackInfo& info) {
  const TextureObject& texture = ReadTexture(info[0]);
  RangeRows rows(info[1], kTextureCopyRows);
  host_->RequireOpen();
  const TextureCopy copy = ReadTextureCopy(texture, &rows, host_.get());
  RunWithReclaim(*host_, 0, [&] {
    host_->wait().ForBatch();
    host_->recorder().CopyTexture(copy);
  });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::WaitFor(const Napi::CallbackInfo& info) {
  const uint64_t value = ReadFenceValue(info[1]);
  host_->RequireOpen();
  const std::shared_ptr<SharedFence> fence = ReadFence(info[0], host_.get());
  host_->Run([&] {
    host_->work().Submit();
    host_->queue().WaitForFence(fence->d3d12, value);
  });
  return info.Env().Undefined();
}

Napi::Value DeviceObject::Signal(const Napi::CallbackInfo& info) {
  const uint64_t value = ReadFenceValue(info[1]);
  host_->RequireOpen();
  const std::shared_ptr<SharedFence> fence = ReadFence(info[0], host_.get());
  const uint64_t reached = std::max<uint64_t>(fence->last_signalled, fence->d3d12->GetCompletedValue());
  if (value <= reached) {
    throw Failure("ERR_INVALID_ARGUMENT", "value: expected more than " + std::to_string(reached) +
                                              ", to which the fence is raised already, given " + std::to_string(value))
        .Field("value");
  }
  host_->Run([&] {
    host_->work().Submit();
    host_->queue().SignalFence(fence->d3d12, value);
  });
  fence->last_signalled = value;
  return info.Env().Undefined();
}

}  // namespace ndml
