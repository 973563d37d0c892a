#include "gpu/device/debug_layer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ndml {

namespace {

constexpr UINT64 kMaxDebugMessages = 32;

// State of the whole process, like the layer itself. Initialized at compile time.
SRWLOCK lease_lock = SRWLOCK_INIT;
SRWLOCK turn_lock = SRWLOCK_INIT;
int64_t leases = 0;
bool layer_is_on = false;

class ScopedLock {
 public:
  explicit ScopedLock(SRWLOCK* lock) : lock_(lock) { ::AcquireSRWLockExclusive(lock_); }
  ~ScopedLock() { ::ReleaseSRWLockExclusive(lock_); }
  ScopedLock(const ScopedLock&) = delete;
  ScopedLock& operator=(const ScopedLock&) = delete;

 private:
  SRWLOCK* lock_;
};

void EnableDebugLayer(const D3D12Library& library) {
  if (library.get_debug_interface == nullptr) {
    throw CallFailure("D3D12GetDebugInterface", DXGI_ERROR_SDK_COMPONENT_MISSING);
  }
  ComPtr<ID3D12Debug> debug;
  const HRESULT result = library.get_debug_interface(Iid<ID3D12Debug>::value, debug.Put());
  if (FAILED(result) || !debug) {
    throw Failure("ERR_NATIVE_CALL", "the Direct3D 12 debug layer is not installed (" + HresultName(result) +
                                         "); it comes with Windows' optional feature \"Graphics Tools\"")
        .Call("D3D12GetDebugInterface", FAILED(result) ? result : DXGI_ERROR_SDK_COMPONENT_MISSING);
  }
  debug->EnableDebugLayer();
}

}  // namespace

DeviceLease DeviceLease::Take(const D3D12Library& library, bool debug) {
  const ScopedLock lock(&lease_lock);
  if (debug && !layer_is_on) {
    if (leases > 0) {
      throw Failure(
          "ERR_INVALID_ARGUMENT",
          "debug: expected before the process's first device, for the debug layer removes those that exist; " +
              std::to_string(leases) + " exist")
          .Field("debug");
    }
    EnableDebugLayer(library);
    layer_is_on = true;
  }
  ++leases;
  DeviceLease lease;
  lease.counted_ = true;
  return lease;
}

DeviceLease::~DeviceLease() {
  if (!counted_) return;
  const ScopedLock lock(&lease_lock);
  --leases;
}

DebugTurn::DebugTurn(ID3D12InfoQueue* queue) : queue_(queue) {
  if (queue_ == nullptr) return;
  ::AcquireSRWLockExclusive(&turn_lock);
  queue_->ClearStoredMessages();
}

DebugTurn::~DebugTurn() {
  if (queue_ != nullptr) ::ReleaseSRWLockExclusive(&turn_lock);
}

std::vector<std::string> DebugTurn::TakeMessages() {
  std::vector<std::string> messages;
  if (queue_ == nullptr) return messages;
  const UINT64 count = std::min(queue_->GetNumStoredMessages(), kMaxDebugMessages);
  for (UINT64 i = 0; i < count; ++i) {
    SIZE_T size = 0;
    if (FAILED(queue_->GetMessage(i, nullptr, &size)) || size < sizeof(D3D12_MESSAGE)) continue;
    const auto memory = std::make_unique<std::max_align_t[]>(size / sizeof(std::max_align_t) + 1);
    auto* message = reinterpret_cast<D3D12_MESSAGE*>(memory.get());
    if (SUCCEEDED(queue_->GetMessage(i, message, &size)) && message->pDescription != nullptr) {
      messages.emplace_back(message->pDescription);
    }
  }
  queue_->ClearStoredMessages();
  return messages;
}

}  // namespace ndml
