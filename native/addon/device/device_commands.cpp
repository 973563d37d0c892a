#include "addon/device/device_commands.h"

#include <utility>

#include "addon/host/device_allocation.h"
#include "addon/values/js_error.h"
#include "addon/values/own_properties.h"

namespace ndml {

namespace {

/** NativeBytes of binding.d.ts. Its own `then` keeps the promise from looking for an inherited one. Runs no script. */
Napi::Object BytesToJs(Napi::Env env, const Napi::ArrayBuffer& bytes) {
  const Napi::Object object = Napi::Object::New(env);
  DefineOwn(object, "then", env.Undefined());
  DefineOwn(object, "bytes", bytes);
  return object;
}

}  // namespace

void DeviceCommands::Upload(const std::shared_ptr<Resource>& target, uint64_t offset, const uint8_t* data,
                            uint64_t size) {
  UploadRequest upload = {target, offset, data, size};
  host_->Run([&] {
    try {
      host_->wait().For([&](const Waited& waited) { return host_->work().uploads().TryUpload(&upload, waited); });
    } catch (Failure& failure) {
      // If memory runs out half-way, the upload waits for the memory of earlier parts. It fails only if the GPU has stopped.
      if (upload.done > 0) failure.Append("; a part of the data may have been written");
      throw;
    }
  });
}

void DeviceCommands::Copy(const std::shared_ptr<Resource>& source, uint64_t source_offset,
                          const std::shared_ptr<Resource>& target, uint64_t target_offset, uint64_t size) {
  host_->Run([&] {
    host_->wait().ForBatch();
    host_->work().copies().Copy(source, source_offset, target, target_offset, size);
  });
}

void DeviceCommands::Define(const std::shared_ptr<Resource>& resource) {
  if (resource->defined_bytes >= resource->capacity) return;
  host_->Run([&] {
    host_->wait().ForBatch();
    host_->work().copies().ZeroFill(resource);
    host_->work().Submit();
  });
}

void DeviceCommands::Replay(const std::shared_ptr<Recording>& recording) {
  if (recording->commands.empty()) return;
  RecordingPlayer& player = host_->work().recordings();
  RunWithReclaim(*host_, 0, [&] {
    host_->wait().For([&](const Waited& waited) { return player.TryCopyOverwritten(*recording, waited); });
  });
  // Only recording is tried again. Submitting is not, because work may be executed or lost even if its submission fails.
  host_->Run([&] { host_->work().Submit(); });
  RecordedList* list = nullptr;
  RunWithReclaim(*host_, 0, [&] {
    host_->wait().For([&](const Waited& waited) { return player.TryPrepare(*recording, waited, &list); });
  });
  host_->Run([&] { player.Replay(recording, *list); });
}

Napi::Promise DeviceCommands::Read(const std::shared_ptr<Resource>& source, uint64_t offset, uint64_t size) {
  Napi::ArrayBuffer target = AllocateArrayBuffer(*host_, size);
  const Napi::Promise::Deferred deferred = Napi::Promise::Deferred::New(host_->env());
  const Napi::Object bytes = BytesToJs(host_->env(), target);
  if (size == 0) {
    deferred.Resolve(bytes);
    return deferred.Promise();
  }
  try {
    // Creating the promise may have run a promise hook, a script that may have closed the device.
    host_->RequireOpen();
    StartRead(deferred, Napi::Persistent(bytes), {source, offset, {static_cast<uint8_t*>(target.Data())}, size});
  } catch (...) {
    deferred.Reject(CurrentExceptionToJs(host_->env()).Value());
  }
  return deferred.Promise();
}

void DeviceCommands::StartRead(const Napi::Promise::Deferred& deferred, Napi::ObjectReference target,
                               ReadRequest request) {
  const uint64_t number = host_->reads().Add(deferred, std::move(target));
  try {
    SubmitRead(&request);
  } catch (...) {
    host_->reads().Abandon(number);
    throw;
  }
  host_->reads().SetSubmitted(number, request.fence_value);
  host_->UpdateReference();
}

Napi::Promise DeviceCommands::ReadInto(const std::shared_ptr<Resource>& source, uint64_t offset,
                                       const Napi::Uint8Array& target) {
  const Napi::Promise::Deferred deferred = Napi::Promise::Deferred::New(host_->env());
  const size_t size = target.ByteLength();
  if (size == 0) {
    deferred.Resolve(host_->env().Undefined());
    return deferred.Promise();
  }
  uint64_t number = 0;
  try {
    host_->RequireOpen();
    number = host_->reads().AddInto(deferred, target);
    ReadRequest request = {source, offset, {nullptr, number}, size};
    SubmitRead(&request);
    host_->UpdateReference();
  } catch (...) {
    host_->reads().ForgetInto(number);
    deferred.Reject(CurrentExceptionToJs(host_->env()).Value());
  }
  return deferred.Promise();
}

void DeviceCommands::SubmitRead(ReadRequest* request) {
  host_->Run([&] {
    host_->wait().For([&](const Waited& waited) { return host_->work().readbacks().TryRead(request, waited); });
  });
}

Napi::Promise DeviceCommands::ResolveWhenFinished(std::shared_ptr<const Profile> profile) {
  const Napi::Promise::Deferred deferred = Napi::Promise::Deferred::New(host_->env());
  const Napi::Promise promise = deferred.Promise();
  try {
    // Creating the promise may have run a promise hook, a script that may have closed the device.
    host_->RequireOpen();
    const uint64_t fence_value = host_->Run([&] { return host_->work().Submit(); });
    host_->idles().Add(deferred, fence_value, std::move(profile));
  } catch (...) {
    deferred.Reject(CurrentExceptionToJs(host_->env()).Value());
    return promise;
  }
  // Earlier work may have finished in the meantime. Settle its promises now, without waiting for the event loop.
  host_->SettleFinished();
  return promise;
}

bool DeviceCommands::StartProfile() {
  return host_->Run([&] { return host_->work().profiler().Start(); });
}

Napi::Promise DeviceCommands::EndProfile() {
  return ResolveWhenFinished(host_->Run([&] { return host_->work().profiler().End(); }));
}

}  // namespace ndml
