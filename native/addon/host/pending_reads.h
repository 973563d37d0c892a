/**
 * Reads whose promises wait for the GPU. The waiter fills the memory of reads into new memory; the JavaScript thread fills
 * arrays of a script. Runs no script: promises that are ready go to the settlements.
 */
#pragma once

#include <napi.h>

#include <cstdint>
#include <list>
#include <map>

#include "addon/environment/settlements.h"
#include "gpu/queue/command_queue.h"

namespace ndml {

class PendingReads {
 public:
  PendingReads(Napi::Env env, CommandQueue* queue, Settlements* settlements)
      : env_(env), queue_(queue), settlements_(settlements) {}
  PendingReads(const PendingReads&) = delete;
  PendingReads& operator=(const PendingReads&) = delete;

  /**
   * Adds a read whose promise resolves with `target`, NativeBytes of binding.d.ts. Call it before the first part is
   * submitted: the waiter writes to the target from then on. Returns the number of the read.
   */
  uint64_t Add(const Napi::Promise::Deferred& deferred, Napi::ObjectReference target);
  /** Call it when all parts are submitted, the last one with this fence value. */
  void SetSubmitted(uint64_t number, uint64_t fence_value) { reads_.at(number).fence_value = fence_value; }
  /** Drops a read without settling its promise. The target lives until the parts submitted so far are finished. */
  void Abandon(uint64_t number);

  /**
   * Adds a read that fills the array, whose memory is looked up when the bytes arrive. Returns the number of the read,
   * for its ReadTarget.
   */
  uint64_t AddInto(const Napi::Promise::Deferred& deferred, const Napi::Uint8Array& target);
  /** Drops a read without settling its promise. Nothing more is copied to the array. */
  void ForgetInto(uint64_t number) { reads_into_.erase(number); }

  /** Makes the copies that are left to the JavaScript thread, and releases their parts, for which the GPU may be waiting. */
  void CopyReady();
  /** Resolves the reads up to this fence value. Frees the targets of abandoned reads up to it. */
  void Resolve(uint64_t finished);
  /** Rejects all reads, and copies nothing more into arrays. */
  void RejectAll(const Failure& failure);
  void Clear();

  bool IsEmpty() const { return reads_.empty() && reads_into_.empty(); }

 private:
  struct Read {
    Napi::Promise::Deferred deferred;
    Napi::ObjectReference target;
    /** Fence value of the last part. */
    uint64_t fence_value;
  };
  struct ReadInto {
    Napi::Promise::Deferred deferred;
    Napi::Reference<Napi::Uint8Array> target;
    /** Bytes that have not arrived. */
    size_t remaining;
    /** False once a part did not fit into the target. */
    bool fits;
  };

  Napi::Env env_;
  CommandQueue* queue_;
  Settlements* settlements_;
  /** By number, which is the order of submission. */
  std::map<uint64_t, Read> reads_;
  std::map<uint64_t, ReadInto> reads_into_;
  uint64_t last_number_ = 0;
  /** Reads without a promise, to whose targets the waiter may still be copying. */
  std::list<Read> abandoned_;
};

}  // namespace ndml
