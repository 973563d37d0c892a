#include "gpu/work/profiler.h"

#include <utility>

#include "platform/failure.h"

namespace ndml {

bool Profiler::Start() {
  if (profile_) throw Failure("ERR_INVALID_ARGUMENT", "a profile is running already");
  const uint64_t frequency = queue_->TimestampFrequency();
  if (frequency == 0) return false;
  batches_->SubmitAll();
  profile_ = std::make_shared<Profile>(ComPtr<ID3D12Device>(device_), frequency, counters_);
  batches_->Measure(profile_);
  return true;
}

size_t Profiler::Dispatch(const DispatchCommand& command) {
  RequireRunning();
  const size_t index = profile_->AddDispatch();
  recorder_->Dispatch(command, index);
  return index;
}

std::shared_ptr<const Profile> Profiler::End() {
  RequireRunning();
  const std::shared_ptr<const Profile> profile = std::exchange(profile_, nullptr);
  try {
    batches_->SubmitAll();
  } catch (...) {
    batches_->Measure(nullptr);
    throw;
  }
  batches_->Measure(nullptr);
  return profile;
}

void Profiler::RequireRunning() const {
  if (!profile_) throw Failure("ERR_INVALID_ARGUMENT", "no profile is running");
}

}  // namespace ndml
