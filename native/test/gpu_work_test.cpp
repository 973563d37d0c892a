#include "gpu/work/gpu_work.h"

#include <cstring>
#include <thread>

#include "gpu/memory/recorder_limits.h"
#include "test/check.h"
#include "test/fakes/directml.h"

namespace ndml::test {

namespace {

using Bytes = std::vector<uint8_t>;

/** Timeout for work that takes milliseconds. It is long, so that tests do not fail on a slow machine. */
constexpr Clock::duration kLongest = std::chrono::minutes(1);

/** A device whose GPU runs when the test says so, or when work has to wait for it. */
struct WorkTest {
  WorkTest() {
    queue.Start([] {});
  }
  ~WorkTest() {
    work.Submit();
    Finish();
  }

  std::shared_ptr<Resource> Buffer(const std::string& name, uint64_t size) {
    return CreateNamed(device.Get(), name, size);
  }
  static std::shared_ptr<CompiledOperator> Operator(uint64_t temporary_size = 0, UINT descriptor_count = 4) {
    auto op = std::make_shared<CompiledOperator>();
    op->dml = ComPtr<IDMLCompiledOperator>(Make<FakeOperator>().Get());
    op->properties = {descriptor_count, temporary_size, 0};
    return op;
  }
  /** Writes the bytes of `source`, each plus 1, to `target`. */
  static DispatchCommand Increment(const std::shared_ptr<CompiledOperator>& op, const std::shared_ptr<Resource>& source,
                                   const std::shared_ptr<Resource>& target) {
    return {op, {{source, 0, source->capacity}}, {{target, 0, target->capacity}}};
  }
  /** Waits like the real caller. The GPU is slow: it runs a submission only after kUploadPatienceMs of waiting. */
  template <typename Attempt>
  void Await(Attempt&& attempt) {
    Waited waited;
    while (const WaitFor value = attempt(waited)) {
      EXPECT(queue.CompletedByGpu() < *value && *value <= queue.last_submitted());
      if (waited.AtLeast(*value, kUploadPatienceMs)) gpu().RunSubmission();
      waited.Add(*value, kUploadPatienceMs);
    }
  }
  /** Waits like the real caller, while the GPU finishes nothing for ten seconds. */
  template <typename Attempt>
  static void AwaitInVain(Attempt&& attempt) {
    Waited waited;
    while (const WaitFor value = attempt(waited)) waited.Add(*value, 1000);
  }
  void Dispatch(const DispatchCommand& command) {
    Await([&](const Waited& waited) { return work.batches().TryOpen(waited); });
    work.recorder().Dispatch(command);
  }
  void CopyTexture(const TextureCopy& copy) {
    Await([&](const Waited& waited) { return work.batches().TryOpen(waited); });
    work.recorder().CopyTexture(copy);
  }
  void Upload(const std::shared_ptr<Resource>& target, const Bytes& bytes, uint64_t offset = 0) {
    UploadRequest upload = {target, offset, bytes.data(), bytes.size()};
    Await([&](const Waited& waited) { return work.uploads().TryUpload(&upload, waited); });
  }
  void StartRead(const std::shared_ptr<Resource>& source, ReadTarget target) {
    ReadRequest read = {source, 0, target, source->capacity};
    Await([&](const Waited& waited) { return work.readbacks().TryRead(&read, waited); });
    EXPECT_EQUAL(read.fence_value, queue.last_submitted());
  }
  RecordedList& PrepareReplay(Recording& recording) {
    RecordedList* list = nullptr;
    Await([&](const Waited& waited) { return work.recordings().TryPrepare(recording, waited, &list); });
    return *list;
  }

  /** Runs all submitted work. */
  void Finish() {
    const Clock::time_point began = Clock::now();
    while (queue.finished() < queue.last_submitted()) {
      if (Clock::now() - began > kLongest) return Fail("the work does not end");
      gpu().Run();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    work.Retire();
  }
  Bytes Read(const std::shared_ptr<Resource>& source) {
    Bytes bytes(static_cast<size_t>(source->capacity));
    StartRead(source, {bytes.data()});
    Finish();
    return bytes;
  }
  FakeQueue& gpu() { return *device->queue.Get(); }

  ComPtr<FakeDevice> device = Make<FakeDevice>();
  ComPtr<FakeDml> dml = Make<FakeDml>();
  std::shared_ptr<LiveCounters> counters = std::make_shared<LiveCounters>();
  CommandQueue queue{device.Get(), dml.Get()};
  GpuWork work{ComPtr<ID3D12Device>(device.Get()), ComPtr<IDMLDevice>(dml.Get()), &queue, counters};
};

template <typename Object>
std::weak_ptr<const void> LifeOf(const ComPtr<Object>& object) {
  return static_cast<FakeOperator*>(object.Get())->Life();
}

Bytes Counting(uint64_t size) {
  Bytes bytes(static_cast<size_t>(size));
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7 + i / 251);
  return bytes;
}

}  // namespace

TEST("the work of a queue has Windows' time limit unless it was created without") {
  WorkTest test;
  EXPECT_EQUAL(test.gpu().flags, D3D12_COMMAND_QUEUE_FLAG_NONE);
  const CommandQueue queue(test.device.Get(), test.dml.Get(), nullptr, false);
  EXPECT_EQUAL(test.gpu().flags, D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT);
}

TEST("an operator lives until the GPU has run it, even if all others release it before") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  std::shared_ptr<CompiledOperator> op = test.Operator();
  const std::weak_ptr<const void> life = LifeOf(op->dml);
  test.Dispatch(test.Increment(op, a, a));
  test.work.recorder().Forget(*op);
  op.reset();
  test.work.Submit();
  test.work.Retire();
  EXPECT(!life.expired());
  test.Finish();
  EXPECT(life.expired());
}

TEST("a buffer lives until the GPU has used it") {
  WorkTest test;
  std::shared_ptr<Resource> a = test.Buffer("a", 16);
  const std::weak_ptr<const void> life = FakeOf(a).Life();
  test.Upload(a, Counting(16));
  a.reset();
  test.work.Submit();
  test.work.Retire();
  EXPECT(!life.expired());
  test.Finish();
  EXPECT(life.expired());
}

TEST("a temporary resource that is replaced by a larger one lives until the GPU has used it") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  for (const uint64_t size : {1 * kMiB, 2 * kMiB, 5 * kMiB}) {
    test.Dispatch(test.Increment(test.Operator(size), a, a));
    test.work.Submit();
  }
  test.Finish();
  EXPECT_EQUAL(test.counters->temporary_bytes, static_cast<int64_t>(5 * kMiB));
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 3);
}

TEST("dispatches share one temporary resource, one after the other") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto b = test.Buffer("b", 16);
  const auto op = test.Operator(1000);
  test.Dispatch(test.Increment(op, a, a));
  test.Dispatch(test.Increment(op, b, b));
  test.work.Submit();
  test.Finish();
  EXPECT_EQUAL(test.counters->temporary_bytes, static_cast<int64_t>(SizeClass(1000)));
}

TEST("work runs in the order in which it was recorded") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto b = test.Buffer("b", 16);
  const auto op = test.Operator();
  test.Upload(a, Bytes(16, 5));
  test.Dispatch(test.Increment(op, a, a));
  test.work.copies().Copy(a, 0, b, 0, 16);
  test.Upload(a, Bytes(16, 50));
  test.Dispatch(test.Increment(op, b, b));
  EXPECT(test.Read(b) == Bytes(16, 7));
  EXPECT(test.Read(a) == Bytes(16, 50));
}

TEST("the memory of an upload is not used again before the GPU has copied it") {
  WorkTest test;
  std::vector<std::shared_ptr<Resource>> buffers;
  for (uint8_t i = 0; i < 40; ++i) {
    buffers.push_back(test.Buffer("b", 100'000));
    test.Upload(buffers.back(), Bytes(100'000, i));
    if (i % 3 == 0) test.work.Submit();
    if (i % 7 == 0) test.gpu().RunSubmission();
  }
  test.work.Submit();
  test.Finish();
  for (uint8_t i = 0; i < 40; ++i) EXPECT(FakeOf(buffers[i]).bytes == Bytes(100'000, i));
}

TEST("uploads that wait for the GPU take no more memory than their limit") {
  WorkTest test;
  const auto a = test.Buffer("a", 8 * kMiB);
  const Bytes bytes = Counting(8 * kMiB);
  for (int i = 0; i < 80; ++i) test.Upload(a, bytes);
  EXPECT(test.counters->staging_bytes <= static_cast<int64_t>(kMaxLateUploadBytes));
  test.work.Submit();
  test.Finish();
  test.work.FreeUnused();
  EXPECT(test.counters->staging_bytes <= static_cast<int64_t>(kMaxUploadBytes));
  EXPECT_EQUAL(test.counters->bytes_in_flight, 0);
  EXPECT(FakeOf(a).bytes == bytes);
}

TEST("an upload of many parts takes the memory of two, as the GPU only copies") {
  WorkTest test;
  const auto a = test.Buffer("a", 60 * kMiB + 12);
  const Bytes bytes = Counting(a->capacity);
  UploadRequest upload = {a, 0, bytes.data(), bytes.size()};
  while (test.work.uploads().TryUpload(&upload, {})) test.gpu().RunSubmission();
  EXPECT_EQUAL(test.counters->staging_bytes, static_cast<int64_t>(kMaxUploadBytesAhead));
  test.work.Submit();
  test.Finish();
  EXPECT(FakeOf(a).bytes == bytes);
}

TEST("uploads behind dispatches or a replay do not wait for the GPU until they have their limit") {
  for (const bool is_replay : {false, true}) {
    WorkTest test;
    const auto a = test.Buffer("a", kMaxUploadBytes);
    const auto b = test.Buffer("b", 16);
    const auto recording = std::make_shared<Recording>();
    recording->commands.push_back(test.Increment(test.Operator(), b, b));
    if (is_replay) {
      test.work.recordings().Replay(recording, test.PrepareReplay(*recording));
    } else {
      test.Dispatch(test.Increment(test.Operator(), b, b));
      test.work.Submit();
    }
    const Bytes bytes = Counting(a->capacity);
    UploadRequest upload = {a, 0, bytes.data(), bytes.size()};
    EXPECT(!test.work.uploads().TryUpload(&upload, {}));
    EXPECT_EQUAL(test.counters->staging_bytes, static_cast<int64_t>(kMaxUploadBytes));
    test.Finish();
    EXPECT(FakeOf(a).bytes == bytes);
  }
}

TEST("an upload beyond the limit fails when the GPU has finished nothing for ten seconds") {
  WorkTest test;
  const auto a = test.Buffer("a", 8 * kMiB);
  const Bytes bytes(8 * kMiB, 3);
  const auto upload = [&] {
    UploadRequest upload = {a, 0, bytes.data(), bytes.size()};
    test.AwaitInVain([&](const Waited& waited) { return test.work.uploads().TryUpload(&upload, waited); });
  };
  for (uint64_t i = 0; i < kMaxLateUploadBytes / bytes.size(); ++i) upload();
  EXPECT_EQUAL(ThrownCode(upload), "ERR_OUT_OF_MEMORY");
  EXPECT_EQUAL(test.counters->staging_bytes, static_cast<int64_t>(kMaxLateUploadBytes));
  test.Finish();
  upload();
  EXPECT(test.Read(a) == bytes);
}

TEST("a read in many parts gives all bytes") {
  WorkTest test;
  const auto a = test.Buffer("a", 50 * kMiB + 12);
  FakeOf(a).bytes = Counting(a->capacity);
  EXPECT(test.Read(a) == Counting(a->capacity));
  EXPECT_EQUAL(test.counters->bytes_in_flight, 0);
}

TEST("reads at the same time leave each other's bytes alone") {
  WorkTest test;
  std::vector<std::shared_ptr<Resource>> buffers;
  std::vector<Bytes> read;
  for (uint8_t i = 0; i < 60; ++i) {
    const uint64_t size = 4 + 40'000 * uint64_t{i};
    buffers.push_back(test.Buffer("b", size));
    FakeOf(buffers.back()).bytes = Bytes(static_cast<size_t>(size), i);
    read.emplace_back(static_cast<size_t>(size));
  }
  for (size_t i = 0; i < 60; ++i) {
    test.StartRead(buffers[i], {read[i].data()});
    if (i % 5 == 0) test.gpu().RunSubmission();
  }
  test.Finish();
  for (uint8_t i = 0; i < 60; ++i) EXPECT(read[i] == FakeOf(buffers[i]).bytes);
}

TEST("a read for the JavaScript thread is copied by that thread, which then releases the memory") {
  WorkTest test;
  const auto a = test.Buffer("a", 50 * kMiB);
  FakeOf(a).bytes = Counting(a->capacity);
  Bytes read;
  test.StartRead(a, {nullptr, 7});
  const Clock::time_point began = Clock::now();
  while (read.size() < a->capacity) {
    if (Clock::now() - began > kLongest) return Fail("the work does not end");
    test.gpu().Run();
    for (const ReadbackCopy& copy : test.queue.TakeReady()) {
      EXPECT_EQUAL(copy.target.read, 7u);
      EXPECT_EQUAL(copy.offset, read.size());
      const uint8_t* const part = copy.ring->data() + copy.part.offset;
      read.insert(read.end(), part, part + copy.size);
      copy.ring->Release(copy.part);
    }
  }
  EXPECT(read == FakeOf(a).bytes);
  EXPECT_EQUAL(test.counters->bytes_in_flight, 0);
}

TEST("new memory is read as zeros") {
  WorkTest test;
  const auto a = test.Buffer("a", 3 * kMiB);
  FakeOf(a).bytes = Counting(a->capacity);
  a->defined_bytes = 0;
  const auto b = test.Buffer("b", 3 * kMiB);
  test.Dispatch(test.Increment(test.Operator(), a, b));
  EXPECT(test.Read(b) == Bytes(3 * kMiB, 1));
}

TEST("new memory is cleared before a dispatch that reads and overwrites it") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  FakeOf(a).bytes = Counting(16);
  a->defined_bytes = 0;
  const auto op = test.Operator();
  op->overwritten = {16};
  test.Dispatch(test.Increment(op, a, a));
  EXPECT(test.Read(a) == Bytes(16, 1));
}

TEST("an output is defined once a dispatch has overwritten it whole") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto b = test.Buffer("b", 16);
  const auto op = test.Operator();
  for (const uint64_t overwritten : {12, 16}) {
    FakeOf(b).bytes = Counting(16);
    b->defined_bytes = 0;
    op->overwritten = {overwritten};
    test.Dispatch(test.Increment(op, a, b));
    EXPECT_EQUAL(b->defined_bytes, 16u);
    EXPECT(test.Read(b) == Bytes(16, 1));
  }
}

TEST("a part of new memory is written over zeros") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  FakeOf(a).bytes = Counting(16);
  a->defined_bytes = 0;
  const Bytes bytes(4, 9);
  test.Upload(a, bytes, 8);
  EXPECT(test.Read(a) == (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 0, 0, 0, 0}));
}

TEST("new memory that is written from its start on has zeros behind the written bytes only") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  FakeOf(a).bytes = Counting(16);
  a->defined_bytes = 0;
  test.Upload(a, Bytes(4, 1), 0);
  test.Upload(a, Bytes(4, 2), 4);
  test.Upload(a, Bytes(4, 3), 2);
  EXPECT_EQUAL(a->defined_bytes, 8u);
  EXPECT(test.Read(a) == (Bytes{1, 1, 3, 3, 3, 3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST("a range that has to be read later is copied before it is overwritten") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto b = test.Buffer("b", 16);
  const auto op = test.Operator();
  test.Upload(a, Bytes(16, 5));
  const auto later = std::make_shared<std::vector<BufferRange>>(1, BufferRange{a, 0, 16});
  test.work.later_reads().Add(later);
  test.Dispatch(test.Increment(op, b, a));
  EXPECT((*later)[0].resource != a);
  EXPECT_EQUAL(test.counters->persistent_bytes, 0);
  EXPECT_EQUAL(test.counters->temporary_bytes, static_cast<int64_t>((*later)[0].resource->capacity));
  test.Dispatch({op, *later, {{b, 0, 16}}});
  EXPECT(test.Read(b) == Bytes(16, 6));
  EXPECT(test.Read(a) == Bytes(16, 1));
}

TEST("a texture is in the state COMMON after each copy, where other code expects it") {
  WorkTest test;
  const auto texture = test.Buffer("texture", 512);
  const auto rows = test.Buffer("rows", 1024);
  FakeOf(texture).bytes = Counting(512);
  TextureCopy copy = {texture, rows, true, 512, 256, 0, 0, 64, 2, DXGI_FORMAT_R8G8B8A8_UNORM};
  test.CopyTexture(copy);
  copy.to_buffer = false;
  copy.offset = 0;
  test.CopyTexture(copy);
  EXPECT_EQUAL(static_cast<FakeList*>(test.work.batches().Open().list())->log(),
               "texture: COMMON > COPY_SOURCE; copy texture > rows; texture: COPY_SOURCE > COMMON; "
               "texture: COMMON > COPY_DEST; rows: COPY_DEST > COPY_SOURCE; copy rows > texture; "
               "texture: COPY_DEST > COMMON");
  Bytes expected(1024);
  std::memcpy(expected.data() + 512, Counting(512).data(), 512);
  EXPECT(test.Read(rows) == expected);
  EXPECT(FakeOf(texture).bytes == Bytes(512));
}

TEST("what has to be read later is copied before an upload or a texture overwrites it") {
  for (const bool is_upload : {true, false}) {
    WorkTest test;
    const auto a = test.Buffer("a", 512);
    const auto texture = test.Buffer("texture", 512);
    const auto later = std::make_shared<std::vector<BufferRange>>(1, BufferRange{a, 0, 512});
    FakeOf(a).bytes = Counting(512);
    test.work.later_reads().Add(later);
    if (is_upload) {
      test.Upload(a, Bytes(4, 9), 100);
    } else {
      test.CopyTexture({texture, a, true, 0, 256, 0, 0, 64, 2, DXGI_FORMAT_R8G8B8A8_UNORM});
    }
    EXPECT((*later)[0].resource != a);
    EXPECT(test.Read((*later)[0].resource) == Counting(512));
  }
}

TEST("the rows of a texture are copied into and out of zeros if their memory is new") {
  for (const bool to_buffer : {true, false}) {
    WorkTest test;
    const auto texture = test.Buffer("texture", 256);
    const auto rows = test.Buffer("rows", 1024);
    FakeOf(texture).bytes = Bytes(256, 7);
    FakeOf(rows).bytes = Counting(1024);
    rows->defined_bytes = 0;
    test.CopyTexture({texture, rows, to_buffer, 512, 256, 0, 0, 64, 1, DXGI_FORMAT_R8G8B8A8_UNORM});
    Bytes expected(1024);
    if (to_buffer) std::memset(expected.data() + 512, 7, 256);
    EXPECT(test.Read(rows) == expected);
    EXPECT(FakeOf(texture).bytes == Bytes(256, to_buffer ? 7 : 0));
  }
}

TEST("a batch is submitted after 256 dispatches") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto op = test.Operator();
  for (unsigned i = 0; i < kMaxDispatchesPerBatch; ++i) test.Dispatch(test.Increment(op, a, a));
  EXPECT_EQUAL(test.queue.last_submitted(), 1u);
  test.Dispatch(test.Increment(op, a, a));
  EXPECT_EQUAL(test.queue.last_submitted(), 1u);
}

TEST("with 128 unfinished batches, the next one waits for the oldest") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto op = test.Operator();
  for (size_t i = 0; i < kMaxBatchesInFlight; ++i) {
    test.Dispatch(test.Increment(op, a, a));
    test.work.Submit();
  }
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 0);
  test.Dispatch(test.Increment(op, a, a));
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 1);
}

TEST("after ten seconds the next batch begins anyway") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto op = test.Operator();
  for (size_t i = 0; i < kMaxBatchesInFlight; ++i) {
    test.Dispatch(test.Increment(op, a, a));
    test.work.Submit();
  }
  EXPECT_EQUAL(test.work.batches().TryOpen({}).value_or(0), 1u);
  test.AwaitInVain([&](const Waited& waited) { return test.work.batches().TryOpen(waited); });
  test.work.recorder().Dispatch(test.Increment(op, a, a));
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 0);
  EXPECT(test.Read(a) == Bytes(16, 129));
}

TEST("a recording is not executed again before its list has finished") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto op = test.Operator(1000);
  const auto recording = std::make_shared<Recording>();
  for (int i = 0; i < 3; ++i) recording->commands.push_back(test.Increment(op, a, a));
  for (int i = 0; i < 10; ++i) test.work.recordings().Replay(recording, test.PrepareReplay(*recording));
  EXPECT_EQUAL(recording->lists.size(), kMaxListsPerRecording);
  test.Finish();
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 30);
}

TEST("after ten seconds a recording gets one more list") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto recording = std::make_shared<Recording>();
  recording->commands.push_back(test.Increment(test.Operator(), a, a));
  for (size_t i = 0; i <= kMaxListsPerRecording; ++i) {
    RecordedList* list = nullptr;
    test.AwaitInVain(
        [&](const Waited& waited) { return test.work.recordings().TryPrepare(*recording, waited, &list); });
    test.work.recordings().Replay(recording, *list);
  }
  EXPECT_EQUAL(recording->lists.size(), kMaxListsPerRecording + 1);
  test.Finish();
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 5);
}

TEST("a recording lives until the GPU has executed it, with its operators and buffers") {
  WorkTest test;
  std::shared_ptr<Resource> a = test.Buffer("a", 16);
  std::shared_ptr<CompiledOperator> op = test.Operator();
  const std::weak_ptr<const void> operator_life = LifeOf(op->dml);
  const std::weak_ptr<const void> buffer_life = FakeOf(a).Life();
  auto recording = std::make_shared<Recording>();
  recording->commands.push_back(test.Increment(op, a, a));
  test.work.recordings().Replay(recording, test.PrepareReplay(*recording));
  test.work.recorder().Forget(*op);
  op.reset();
  a.reset();
  recording.reset();
  test.work.Retire();
  EXPECT(!operator_life.expired() && !buffer_life.expired());
  test.Finish();
  EXPECT(operator_life.expired() && buffer_life.expired());
}

TEST("the descriptors of a recording stay as they are while other work fills heaps") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto b = test.Buffer("b", 8192);
  const auto op = test.Operator();
  const auto recording = std::make_shared<Recording>();
  recording->commands.push_back(test.Increment(op, a, a));
  for (unsigned i = 0; i < 2000; ++i) {
    if (i % 500 == 0) test.work.recordings().Replay(recording, test.PrepareReplay(*recording));
    test.Dispatch({op, {{b, 4 * i, 4}}, {{b, 4 * i, 4}}});
    if (i % 100 == 99) {
      test.work.Submit();
      test.Finish();
    }
  }
  test.Finish();
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 4);
  EXPECT(FakeOf(b).bytes[0] == 1 && FakeOf(b).bytes[7999] == 1);
}

TEST("the descriptors of batches stay as they are until the GPU has run them") {
  WorkTest test;
  const auto a = test.Buffer("a", 64);
  const auto op = test.Operator(0, kDescriptorsPerHeap);
  for (uint64_t i = 0; i < 16; ++i) {
    test.Dispatch({op, {{a, 4 * i, 4}}, {{a, 4 * i, 4}}});
    test.work.Submit();
  }
  EXPECT(test.Read(a) == Bytes(64, 1));
}

TEST("a recording keeps its temporary resource, even when other work has a larger one") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto recording = std::make_shared<Recording>();
  recording->commands.push_back(test.Increment(test.Operator(1 * kMiB), a, a));
  test.work.recordings().Replay(recording, test.PrepareReplay(*recording));
  test.Dispatch(test.Increment(test.Operator(5 * kMiB), a, a));
  test.work.Submit();
  test.Finish();
  test.work.recordings().Replay(recording, test.PrepareReplay(*recording));
  EXPECT_EQUAL(recording->lists.size(), 1u);
  test.Finish();
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 3);
}

TEST("after a list could not be closed, its work is dropped and later work runs") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  const auto op = test.Operator();
  // Create the list, which the next batch reuses.
  test.Dispatch(test.Increment(op, a, a));
  test.work.Submit();
  test.Finish();
  test.device->last_list->next_close = E_OUTOFMEMORY;
  test.Dispatch(test.Increment(op, a, a));
  EXPECT_EQUAL(ThrownCode([&] { test.work.Submit(); }), "ERR_OUT_OF_MEMORY");
  test.Dispatch(test.Increment(op, a, a));
  test.work.Submit();
  test.Finish();
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 2);
}

TEST("a submission on a removed device is refused, and its memory kept while the GPU may use it") {
  WorkTest test;
  std::shared_ptr<Resource> a = test.Buffer("a", 16);
  const std::weak_ptr<const void> life = FakeOf(a).Life();
  test.Dispatch(test.Increment(test.Operator(), a, a));
  a.reset();
  test.gpu().signal_result = DXGI_ERROR_DEVICE_REMOVED;
  EXPECT_EQUAL(ThrownCode([&] { test.work.Submit(); }), "ERR_DEVICE_LOST");
  test.work.Retire();
  EXPECT(!life.expired());
  // Lets the waiter see the removal, and finish the submission.
  test.device->removed_reason = DXGI_ERROR_DEVICE_REMOVED;
}

TEST("a submission that could not be signalled is signalled again") {
  WorkTest test;
  const auto a = test.Buffer("a", 16);
  test.gpu().signal_result = E_OUTOFMEMORY;
  test.Dispatch(test.Increment(test.Operator(), a, a));
  test.work.Submit();
  test.gpu().Run();
  test.gpu().signal_result = S_OK;
  test.Finish();
  EXPECT_EQUAL(int{FakeOf(a).bytes[0]}, 1);
}

}  // namespace ndml::test
