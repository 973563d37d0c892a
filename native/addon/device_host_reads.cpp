/** The part of the device host that reads: into new memory, which the waiter fills, and into memory of a script. */
#include <cstring>
#include <iterator>
#include <utility>

#include "addon/device_host.h"
#include "addon/js_error.h"
#include "addon/own_properties.h"

namespace ndml {

namespace {

/** Copies a part of a read. Returns false if the array's memory is no longer there, or too short. */
bool CopyInto(Napi::Env env, const Napi::Uint8Array& target, const ReadbackCopy& copy) {
  size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, target, nullptr, &length, &data, nullptr, nullptr) != napi_ok) return false;
  if (data == nullptr || length < copy.offset + copy.size) return false;
  std::memcpy(static_cast<uint8_t*>(data) + copy.offset, copy.ring->data() + copy.part.offset, copy.size);
  return true;
}

/** NativeBytes of binding.d.ts. Its own `then` keeps the promise from looking for an inherited one. Runs no script. */
Napi::Object BytesToJs(Napi::Env env, const Napi::ArrayBuffer& bytes) {
  const Napi::Object object = Napi::Object::New(env);
  DefineOwn(object, "then", env.Undefined());
  DefineOwn(object, "bytes", bytes);
  return object;
}

}  // namespace

Napi::Promise DeviceHost::Read(const std::shared_ptr<Resource>& source, uint64_t offset, uint64_t size) {
  Napi::ArrayBuffer target = AllocateArrayBuffer(size);
  const Napi::Promise::Deferred deferred = Napi::Promise::Deferred::New(env_);
  if (size == 0) {
    deferred.Resolve(BytesToJs(env_, target));
    return deferred.Promise();
  }
  try {
    // A hook of promises is a script: it has run by now, and may have closed the device.
    RequireOpen();
    StartRead({deferred, Napi::Persistent(BytesToJs(env_, target)), 0}, static_cast<uint8_t*>(target.Data()), source,
              offset, size);
  } catch (...) {
    deferred.Reject(CurrentExceptionToJs(env_).Value());
  }
  return deferred.Promise();
}

void DeviceHost::StartRead(PendingRead read, uint8_t* bytes, const std::shared_ptr<Resource>& source, uint64_t offset,
                           uint64_t size) {
  // Registered before the first part is submitted, because the waiter writes to the target from then on.
  PendingRead& pending = reads_.emplace_back(std::move(read));
  ReadRequest request = {source, offset, {bytes, 0}, size};
  try {
    Run([&] { Await([&](const Waited& waited) { return work_->readbacks().TryRead(&request, waited); }); });
    pending.fence_value = request.fence_value;
  } catch (...) {
    // Earlier parts may already be submitted, so the target must outlive everything submitted so far.
    pending.fence_value = queue_->last_submitted();
    abandoned_reads_.splice(abandoned_reads_.end(), reads_, std::prev(reads_.end()));
    throw;
  }
  UpdateReference();
}

Napi::Promise DeviceHost::ReadInto(const std::shared_ptr<Resource>& source, uint64_t offset,
                                   const Napi::Uint8Array& target) {
  const Napi::Promise::Deferred deferred = Napi::Promise::Deferred::New(env_);
  const size_t size = target.ByteLength();
  if (size == 0) {
    deferred.Resolve(env_.Undefined());
    return deferred.Promise();
  }
  const uint64_t number = ++last_read_into_;
  try {
    RequireOpen();
    reads_into_.emplace(number,
                        PendingReadInto{deferred, Napi::Reference<Napi::Uint8Array>::New(target, 1), size, true});
    ReadRequest request = {source, offset, {nullptr, number}, size};
    Run([&] { Await([&](const Waited& waited) { return work_->readbacks().TryRead(&request, waited); }); });
    UpdateReference();
  } catch (...) {
    // Nothing more is copied: the read is no longer known.
    reads_into_.erase(number);
    deferred.Reject(CurrentExceptionToJs(env_).Value());
  }
  return deferred.Promise();
}

void DeviceHost::CopyReady() {
  for (const ReadbackCopy& copy : queue_->TakeReady()) {
    const auto found = reads_into_.find(copy.target.read);
    if (found != reads_into_.end() && !lost_) {
      PendingReadInto& read = found->second;
      read.fits = read.fits && CopyInto(env_, read.target.Value(), copy);
      read.remaining -= copy.size;
    }
    copy.ring->Release(copy.part);
    if (found == reads_into_.end() || found->second.remaining > 0) continue;
    if (found->second.fits) {
      settlements_.Resolve(found->second.deferred);
    } else {
      const char* const problem = "target: its memory was transferred or cut off before the bytes arrived";
      settlements_.Reject(found->second.deferred, Failure("ERR_INVALID_ARGUMENT", problem).Field("target"));
    }
    reads_into_.erase(found);
  }
}

}  // namespace ndml
