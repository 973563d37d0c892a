#include "test/fakes/gpu.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "test/check.h"

namespace ndml::test {

namespace {

std::string NameOf(D3D12_RESOURCE_STATES state) {
  switch (state) {
    case D3D12_RESOURCE_STATE_COMMON:
      return "COMMON";
    case D3D12_RESOURCE_STATE_UNORDERED_ACCESS:
      return "UNORDERED_ACCESS";
    case D3D12_RESOURCE_STATE_COPY_DEST:
      return "COPY_DEST";
    case D3D12_RESOURCE_STATE_COPY_SOURCE:
      return "COPY_SOURCE";
    default:
      return std::to_string(state);
  }
}

/** An object that a recorded command uses, and that must live until the GPU has run it. */
template <typename Fake>
class Used {
 public:
  Used(Fake* object, std::string what) : object_(object), what_(std::move(what)), life_(object->Life()) {}

  /** Returns null, and fails the test, if the object was freed. */
  Fake* Get() const {
    if (!life_.expired()) return object_;
    Fail(what_ + " was freed before the GPU used it");
    return nullptr;
  }

 private:
  Fake* object_;
  std::string what_;
  std::weak_ptr<const void> life_;
};

Used<FakeResource> Use(FakeResource* resource) { return {resource, "the buffer " + resource->name}; }

bool Same(const Descriptor& a, const Descriptor& b) {
  return a.resource == b.resource && a.offset == b.offset && a.size == b.size && a.role == b.role;
}

}  // namespace

class RecordedCommands::Run {
 public:
  void Transition(FakeResource* resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    Access& access = accesses_[resource];
    if (access.state != before) Fail(resource->name + " is in " + NameOf(access.state) + ", not in " + NameOf(before));
    access = {};
    access.state = after;
  }

  /** Runs a UAV barrier: dispatches after it wait for all dispatches before it. */
  void OrderDispatches() {
    for (auto& [resource, access] : accesses_) access.reads = access.writes = false;
  }

  void ReadForCopy(FakeResource* resource) {
    if (resource->heap == D3D12_HEAP_TYPE_DEFAULT) Enter(resource, D3D12_RESOURCE_STATE_COPY_SOURCE);
  }

  void WriteByCopy(FakeResource* resource, uint64_t begin, uint64_t end) {
    if (resource->heap == D3D12_HEAP_TYPE_DEFAULT) Enter(resource, D3D12_RESOURCE_STATE_COPY_DEST);
    std::vector<std::pair<uint64_t, uint64_t>>& copied = accesses_[resource].copied;
    for (const auto& [other_begin, other_end] : copied) {
      if (begin < other_end && other_begin < end) Fail("two copies into " + resource->name + " are not ordered");
    }
    copied.emplace_back(begin, end);
  }

  void Dispatch(const std::vector<Descriptor>& bound) {
    for (const Descriptor& descriptor : bound) {
      Enter(descriptor.resource, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
      const Access& access = accesses_[descriptor.resource];
      const bool writes = descriptor.role != Role::kInput;
      if (access.writes || (writes && access.reads)) {
        Fail("no barrier between two dispatches that use " + descriptor.resource->name);
      }
    }
    for (const Descriptor& descriptor : bound) {
      Access& access = accesses_[descriptor.resource];
      (descriptor.role == Role::kInput ? access.reads : access.writes) = true;
    }
  }

 private:
  /** The accesses to a resource since the last barrier. */
  struct Access {
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
    bool reads = false;
    bool writes = false;
    std::vector<std::pair<uint64_t, uint64_t>> copied;
  };

  /** A buffer in COMMON is promoted by its first use. */
  void Enter(FakeResource* resource, D3D12_RESOURCE_STATES state) {
    Access& access = accesses_[resource];
    if (access.state == D3D12_RESOURCE_STATE_COMMON) access.state = state;
    if (access.state == state) return;
    Fail(resource->name + " is used in " + NameOf(state) + " while in " + NameOf(access.state));
  }

  std::map<FakeResource*, Access> accesses_;
};

HRESULT FakeFence::SetEventOnCompletion(UINT64 value, HANDLE event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value <= value_) {
    ::SetEvent(event);
  } else {
    waits_.emplace_back(value, event);
  }
  return S_OK;
}

HRESULT FakeFence::Signal(UINT64 value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  value_ = value;
  const auto is_over = [value](const auto& wait) {
    if (wait.first > value) return false;
    ::SetEvent(wait.second);
    return true;
  };
  waits_.erase(std::remove_if(waits_.begin(), waits_.end(), is_over), waits_.end());
  return S_OK;
}

HRESULT FakeAllocator::Reset() {
  for (const auto& weak : recordings) {
    const std::shared_ptr<RecordedCommands> recording = weak.lock();
    if (recording && recording->is_running) Fail("an allocator was reset while the GPU runs its list");
  }
  recordings.clear();
  return S_OK;
}

HRESULT FakeList::Close() {
  if (FAILED(next_close)) return std::exchange(next_close, S_OK);
  if (recording_->is_closed) Fail("a closed list was closed");
  recording_->is_closed = true;
  return S_OK;
}

HRESULT FakeList::Reset(ID3D12CommandAllocator* allocator, ID3D12PipelineState*) {
  auto* const fake = static_cast<FakeAllocator*>(allocator);
  recording_ = std::make_shared<RecordedCommands>();
  recording_->allocator = fake->Life();
  fake->recordings.push_back(recording_);
  log_.clear();
  heap_ = nullptr;
  return S_OK;
}

void FakeList::Record(const std::string& words, std::function<void(RecordedCommands::Run&)> command) {
  if (recording_->is_closed) Fail("a command was recorded in a closed list");
  log_ += (log_.empty() ? "" : "; ") + words;
  recording_->commands.push_back(std::move(command));
}

void FakeList::CopyBufferRegion(ID3D12Resource* target, UINT64 target_offset, ID3D12Resource* source,
                                UINT64 source_offset, UINT64 size) {
  auto* const into = static_cast<FakeResource*>(target);
  auto* const from = static_cast<FakeResource*>(source);
  if (target_offset + size > into->bytes.size() || source_offset + size > from->bytes.size()) {
    return Fail("a copy from " + from->name + " to " + into->name + " leaves the buffer");
  }
  Record("copy " + from->name + " > " + into->name,
         [into = Use(into), from = Use(from), target_offset, source_offset, size](RecordedCommands::Run& run) {
           if (into.Get() == nullptr || from.Get() == nullptr) return;
           run.ReadForCopy(from.Get());
           run.WriteByCopy(into.Get(), target_offset, target_offset + size);
           std::memcpy(into.Get()->bytes.data() + target_offset, from.Get()->bytes.data() + source_offset,
                       static_cast<size_t>(size));
         });
}

void FakeList::CopyTextureRegion(const D3D12_TEXTURE_COPY_LOCATION* target, UINT, UINT, UINT,
                                 const D3D12_TEXTURE_COPY_LOCATION* source, const D3D12_BOX*) {
  const bool is_rows = target->Type == D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
  const D3D12_PLACED_SUBRESOURCE_FOOTPRINT& rows = (is_rows ? target : source)->PlacedFootprint;
  const UINT64 size = UINT64{rows.Footprint.RowPitch} * rows.Footprint.Height;
  CopyBufferRegion(target->pResource, is_rows ? rows.Offset : 0, source->pResource, is_rows ? 0 : rows.Offset, size);
}

void FakeList::ResourceBarrier(UINT count, const D3D12_RESOURCE_BARRIER* barriers) {
  for (UINT i = 0; i < count; ++i) {
    const D3D12_RESOURCE_BARRIER& barrier = barriers[i];
    if (barrier.Type == D3D12_RESOURCE_BARRIER_TYPE_UAV) {
      Record("uav", [](RecordedCommands::Run& run) { run.OrderDispatches(); });
      continue;
    }
    auto* const resource = static_cast<FakeResource*>(barrier.Transition.pResource);
    const D3D12_RESOURCE_STATES before = barrier.Transition.StateBefore;
    const D3D12_RESOURCE_STATES after = barrier.Transition.StateAfter;
    Record(resource->name + ": " + NameOf(before) + " > " + NameOf(after),
           [resource = Use(resource), before, after](RecordedCommands::Run& run) {
             if (resource.Get() != nullptr) run.Transition(resource.Get(), before, after);
           });
  }
}

void FakeList::SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) {
  EXPECT_EQUAL(count, 1u);
  heap_ = static_cast<FakeDescriptorHeap*>(heaps[0]);
}

void FakeList::RecordDispatch(const std::vector<Descriptor>& bound) {
  std::vector<Used<FakeResource>> used;
  for (const Descriptor& descriptor : bound) used.push_back(Use(descriptor.resource));
  Record("dispatch", [bound, used](RecordedCommands::Run& run) {
    for (const Used<FakeResource>& resource : used) {
      if (resource.Get() == nullptr) return;
    }
    run.Dispatch(bound);
    const auto bytes = [](const Descriptor& range) { return range.resource->bytes.data() + range.offset; };
    for (const Descriptor& range : bound) {
      if (range.role == Role::kTemporary) std::memset(bytes(range), 0xEE, static_cast<size_t>(range.size));
      if (range.role != Role::kOutput) continue;
      std::vector<uint8_t> sum(static_cast<size_t>(range.size), uint8_t{1});
      for (const Descriptor& input : bound) {
        if (input.role != Role::kInput) continue;
        for (size_t i = 0; i < std::min(sum.size(), static_cast<size_t>(input.size)); ++i) {
          sum[i] = static_cast<uint8_t>(sum[i] + bytes(input)[i]);
        }
      }
      std::copy(sum.begin(), sum.end(), bytes(range));
    }
  });
}

void FakeList::RecordDispatch(const Descriptor* slots, size_t count) {
  if (heap_ == nullptr || slots < heap_->slots.data() || slots + count > heap_->slots.data() + heap_->slots.size()) {
    return Fail("a dispatch has its descriptors outside of the heap that is set");
  }
  const std::vector<Descriptor> bound(slots, slots + count);
  recording_->commands.push_back([bound, slots, heap = Used(heap_, "a descriptor heap")](RecordedCommands::Run&) {
    if (heap.Get() == nullptr) return;
    if (!std::equal(bound.begin(), bound.end(), slots, Same))
      Fail("a descriptor was overwritten before the GPU read it");
  });
  RecordDispatch(bound);
}

void FakeQueue::ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) {
  for (UINT i = 0; i < count; ++i) {
    const std::shared_ptr<RecordedCommands> recording = static_cast<FakeList*>(lists[i])->recording();
    if (!recording->is_closed) Fail("an open list was executed");
    if (recording->is_running) Fail("a list was executed again before the GPU had run it");
    recording->is_running = true;
    Add([recording] {
      if (recording->allocator.expired()) Fail("an allocator was freed before the GPU had run its list");
      RecordedCommands::Run run;
      for (const auto& command : recording->commands) command(run);
      recording->is_running = false;
      return Step::kDone;
    });
  }
}

HRESULT FakeQueue::Signal(ID3D12Fence* fence, UINT64 value) {
  if (FAILED(signal_result)) return signal_result;
  Add([fence = ComPtr<ID3D12Fence>(fence), value] {
    fence->Signal(value);
    return Step::kSignalled;
  });
  return S_OK;
}

HRESULT FakeQueue::Wait(ID3D12Fence* fence, UINT64 value) {
  Add([fence = ComPtr<ID3D12Fence>(fence), value] {
    return fence->GetCompletedValue() < value ? Step::kWaits : Step::kDone;
  });
  return S_OK;
}

void FakeQueue::Add(std::function<Step()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  work_.push_back(std::move(work));
}

bool FakeQueue::IsIdle() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return work_.empty();
}

FakeQueue::Step FakeQueue::RunNext() {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Step step = work_.empty() ? Step::kWaits : work_.front()();
  if (step != Step::kWaits) work_.pop_front();
  return step;
}

void FakeQueue::Run() {
  while (RunNext() != Step::kWaits) {
  }
}

void FakeQueue::RunSubmission() {
  while (RunNext() == Step::kDone) {
  }
}

HRESULT FakeDevice::CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID, void** result) {
  queue = Make<FakeQueue>();
  queue->flags = desc->Flags;
  return Give(queue, result);
}

HRESULT FakeDevice::CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE, REFIID, void** result) {
  return is_out_of_memory ? E_OUTOFMEMORY : Give(Make<FakeAllocator>(), result);
}

HRESULT FakeDevice::CreateCommandList(UINT, D3D12_COMMAND_LIST_TYPE, ID3D12CommandAllocator* allocator,
                                      ID3D12PipelineState*, REFIID, void** result) {
  ++lists;
  last_list = Make<FakeList>(static_cast<FakeAllocator*>(allocator));
  return Give(last_list, result);
}

HRESULT FakeDevice::CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID, void** result) {
  if (is_out_of_memory) return E_OUTOFMEMORY;
  ++heaps;
  return Give(Make<FakeDescriptorHeap>(desc->NumDescriptors), result);
}

HRESULT FakeDevice::CreateCommittedResource(const D3D12_HEAP_PROPERTIES* heap, D3D12_HEAP_FLAGS,
                                            const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES,
                                            const D3D12_CLEAR_VALUE*, REFIID, void** result) {
  if (is_out_of_memory) return E_OUTOFMEMORY;
  ++buffers;
  return Give(Make<FakeResource>(heap->Type, desc->Width), result);
}

HRESULT FakeDevice::CreateFence(UINT64, D3D12_FENCE_FLAGS, REFIID, void** result) {
  return Give(Make<FakeFence>(), result);
}

std::shared_ptr<Resource> CreateNamed(FakeDevice* device, const std::string& name, uint64_t size) {
  std::shared_ptr<Resource> resource = CreateResource(device, size, std::make_shared<LiveCounters>());
  FakeOf(resource).name = name;
  return resource;
}

}  // namespace ndml::test
