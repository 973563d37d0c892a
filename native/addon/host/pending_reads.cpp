#include "addon/host/pending_reads.h"

#include <cstring>
#include <utility>

namespace ndml {

namespace {

/** Copies a part of a read. Returns false if the array's memory was transferred, or is too short. */
bool CopyInto(Napi::Env env, const Napi::Uint8Array& target, const ReadbackCopy& copy) {
  size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(env, target, nullptr, &length, &data, nullptr, nullptr) != napi_ok) return false;
  if (data == nullptr || length < copy.offset + copy.size) return false;
  std::memcpy(static_cast<uint8_t*>(data) + copy.offset, copy.ring->data() + copy.part.offset, copy.size);
  return true;
}

}  // namespace

uint64_t PendingReads::Add(const Napi::Promise::Deferred& deferred, Napi::ObjectReference target) {
  reads_.emplace(++last_number_, Read{deferred, std::move(target), 0});
  return last_number_;
}

void PendingReads::Abandon(uint64_t number) {
  const auto found = reads_.find(number);
  found->second.fence_value = queue_->last_submitted();
  abandoned_.push_back(std::move(found->second));
  reads_.erase(found);
}

uint64_t PendingReads::AddInto(const Napi::Promise::Deferred& deferred, const Napi::Uint8Array& target) {
  auto reference = Napi::Reference<Napi::Uint8Array>::New(target, 1);
  reads_into_.emplace(++last_number_, ReadInto{deferred, std::move(reference), target.ByteLength(), true});
  return last_number_;
}

void PendingReads::CopyReady() {
  for (const ReadbackCopy& copy : queue_->TakeReady()) {
    const auto found = reads_into_.find(copy.target.read);
    if (found != reads_into_.end()) {
      ReadInto& read = found->second;
      read.fits = read.fits && CopyInto(env_, read.target.Value(), copy);
      read.remaining -= copy.size;
    }
    copy.ring->Release(copy.part);
    if (found == reads_into_.end() || found->second.remaining > 0) continue;
    if (found->second.fits) {
      settlements_->Resolve(found->second.deferred);
    } else {
      const char* const problem = "target: its memory was transferred or cut off before the bytes arrived";
      settlements_->Reject(found->second.deferred, Failure("ERR_INVALID_ARGUMENT", problem).Field("target"));
    }
    reads_into_.erase(found);
  }
}

void PendingReads::Resolve(uint64_t finished) {
  for (auto next = reads_.begin(); next != reads_.end() && next->second.fence_value <= finished;) {
    settlements_->Resolve(next->second.deferred, std::move(next->second.target));
    next = reads_.erase(next);
  }
  abandoned_.remove_if([&](const Read& read) { return read.fence_value <= finished; });
}

void PendingReads::RejectAll(const Failure& failure) {
  for (auto& [number, read] : reads_) {
    settlements_->Reject(read.deferred, failure);
    // Keep the target alive: the waiter may still be copying to it until finished() reaches the read's fence value.
    abandoned_.push_back(std::move(read));
  }
  reads_.clear();
  for (const auto& [number, read] : reads_into_) settlements_->Reject(read.deferred, failure);
  reads_into_.clear();
}

void PendingReads::Clear() {
  reads_.clear();
  reads_into_.clear();
  abandoned_.clear();
}

}  // namespace ndml
