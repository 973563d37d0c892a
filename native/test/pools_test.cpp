#include "gpu/memory/descriptor_heap_pool.h"
#include "gpu/memory/spare_buffers.h"
#include "gpu/memory/upload_pool.h"
#include "gpu/record/command_context_pool.h"
#include "gpu/record/hazards.h"

#include "test/check.h"
#include "test/fakes/gpu.h"

namespace ndml::test {

namespace {

constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;

struct PoolTest {
  ComPtr<FakeDevice> device = Make<FakeDevice>();
  std::shared_ptr<LiveCounters> counters = std::make_shared<LiveCounters>();
};

struct UploadTest : PoolTest {
  UploadChunk Create(uint64_t size) { return pool.Create(device.Get(), size); }
  /** Returns the size of the chunk that the pool reuses for `size` bytes, 0 if none fits. The chunk is then freed. */
  uint64_t Reused(uint64_t size) {
    const std::optional<UploadChunk> chunk = pool.Reuse(size);
    return chunk ? chunk->size : 0;
  }

  UploadPool pool{16 * kMiB, counters};
};

struct SpareTest : PoolTest {
  std::shared_ptr<Resource> Create(uint64_t size) { return CreateResource(device.Get(), size, counters); }
  /** Returns the id of the memory that a buffer of `size` bytes takes, 0 if it takes none. */
  uint64_t Taken(uint64_t size) {
    const std::shared_ptr<Resource> taken = pool.Take(size);
    return taken ? taken->id : 0;
  }

  SpareBuffers pool{counters};
};

struct HeapTest : PoolTest {
  DescriptorHeap Acquire(UINT count) { return pool.Acquire(device.Get(), count); }

  DescriptorHeapPool pool{sizeof(Descriptor), counters};
};

struct ContextTest : PoolTest {
  CommandContext Acquire() { return pool.Acquire(device.Get()); }

  CommandContextPool pool{D3D12_COMMAND_LIST_TYPE_COMPUTE};
};

}  // namespace

TEST("sizes of uploads are powers of two from 64 KiB to 4 MiB, or whole MiB") {
  EXPECT_EQUAL(SizeClass(1), 64 * kKiB);
  EXPECT_EQUAL(SizeClass(64 * kKiB), 64 * kKiB);
  EXPECT_EQUAL(SizeClass(64 * kKiB + 1), 128 * kKiB);
  EXPECT_EQUAL(SizeClass(3 * kMiB), 4 * kMiB);
  EXPECT_EQUAL(SizeClass(4 * kMiB + 1), 5 * kMiB);
  EXPECT_EQUAL(SizeClass(8 * kMiB), 8 * kMiB);
}

TEST("a released chunk is used again, without a new buffer") {
  UploadTest test;
  UploadChunk chunk = test.Create(1 * kMiB);
  EXPECT_EQUAL(test.Reused(1 * kMiB), 0u);
  uint8_t* const data = chunk.data;
  test.pool.Release(std::move(chunk));
  const std::optional<UploadChunk> again = test.pool.Reuse(1 * kMiB);
  EXPECT(again && again->data == data);
  EXPECT_EQUAL(test.Reused(1 * kMiB), 0u);
  EXPECT_EQUAL(test.device->buffers, 1);
}

TEST("the smallest chunk that is large enough is used") {
  UploadTest test;
  for (const uint64_t size : {4 * kMiB, 1 * kMiB, 2 * kMiB}) test.pool.Release(test.Create(size));
  EXPECT_EQUAL(test.Reused(1 * kMiB + 1), 2 * kMiB);
  EXPECT_EQUAL(test.Reused(2 * kMiB), 4 * kMiB);
  EXPECT_EQUAL(test.Reused(2 * kMiB), 0u);
}

TEST("of chunks of the same size, the one that was released last is used") {
  UploadTest test;
  UploadChunk first = test.Create(1 * kMiB);
  UploadChunk second = test.Create(1 * kMiB);
  const uint8_t* const data = second.data;
  test.pool.Release(std::move(first));
  test.pool.Release(std::move(second));
  const std::optional<UploadChunk> used = test.pool.Reuse(1 * kMiB);
  EXPECT(used && used->data == data);
}

TEST("a chunk of more than twice the size is not used, so that small uploads do not hold large memory") {
  UploadTest test;
  test.pool.Release(test.Create(4 * kMiB));
  EXPECT_EQUAL(test.Reused(1 * kMiB), 0u);
  EXPECT_EQUAL(test.Reused(1 * kMiB + 1), 4 * kMiB);
}

TEST("idle chunks are no more than the limit: the oldest goes first") {
  UploadTest test;
  for (const uint64_t size : {6 * kMiB, 7 * kMiB, 8 * kMiB}) test.pool.Release(test.Create(size));
  EXPECT_EQUAL(test.counters->staging_bytes, static_cast<int64_t>(15 * kMiB));
  EXPECT_EQUAL(test.Reused(6 * kMiB), 7 * kMiB);
  test.pool.Release(test.Create(17 * kMiB));
  EXPECT_EQUAL(test.Reused(17 * kMiB), 0u);
  EXPECT_EQUAL(test.Reused(8 * kMiB), 8 * kMiB);
}

TEST("memory counts as in flight from its acquisition to its release") {
  UploadTest test;
  UploadChunk chunk = test.Create(1 * kMiB);
  EXPECT_EQUAL(test.counters->bytes_in_flight, static_cast<int64_t>(1 * kMiB));
  test.pool.Release(std::move(chunk));
  EXPECT_EQUAL(test.counters->bytes_in_flight, 0);
  EXPECT_EQUAL(test.counters->staging_bytes, static_cast<int64_t>(1 * kMiB));
  const std::optional<UploadChunk> again = test.pool.Reuse(1 * kMiB);
  EXPECT_EQUAL(test.counters->bytes_in_flight, static_cast<int64_t>(1 * kMiB));
}

TEST("trimming frees the chunks unused since the given time, except for 2 MiB") {
  UploadTest test;
  const Clock::time_point before = Clock::now() - std::chrono::seconds(1);
  for (int i = 0; i < 4; ++i) test.pool.Release(test.Create(1 * kMiB));
  test.pool.Trim(before);
  EXPECT_EQUAL(test.counters->staging_bytes, static_cast<int64_t>(4 * kMiB));
  test.pool.Trim(Clock::time_point::max());
  EXPECT_EQUAL(test.counters->staging_bytes, static_cast<int64_t>(2 * kMiB));
}

TEST("shrinking frees the oldest chunks, and no more than it must") {
  UploadTest test;
  for (const uint64_t size : {3 * kMiB, 2 * kMiB, 1 * kMiB}) test.pool.Release(test.Create(size));
  test.pool.ShrinkTo(4 * kMiB);
  EXPECT_EQUAL(test.Reused(3 * kMiB), 0u);
  EXPECT_EQUAL(test.Reused(2 * kMiB), 2 * kMiB);
  test.pool.ShrinkTo(0);
  EXPECT_EQUAL(test.counters->staging_bytes, 0);
}

TEST("the smallest descriptor heap that is large enough is used, and is empty") {
  HeapTest test;
  DescriptorHeap small = test.Acquire(1);
  DescriptorHeap large = test.Acquire(5000);
  EXPECT_EQUAL(small.capacity, kDescriptorsPerHeap);
  EXPECT_EQUAL(large.capacity, 2 * kDescriptorsPerHeap);
  EXPECT_EQUAL(test.counters->descriptor_bytes, static_cast<int64_t>(3 * kDescriptorsPerHeap * sizeof(Descriptor)));
  small.used = large.used = 10;
  ID3D12DescriptorHeap* const of_small = small.heap.Get();
  ID3D12DescriptorHeap* const of_large = large.heap.Get();
  test.pool.Release(std::move(large));
  test.pool.Release(std::move(small));
  EXPECT_EQUAL(test.pool.IdleBytes(), 3 * kDescriptorsPerHeap * sizeof(Descriptor));
  const DescriptorHeap small_again = test.Acquire(kDescriptorsPerHeap);
  EXPECT(small_again.heap.Get() == of_small);
  EXPECT_EQUAL(small_again.used, 0u);
  EXPECT(test.Acquire(1).heap.Get() == of_large);
  EXPECT_EQUAL(test.device->heaps, 2);
}

TEST("a heap has room for a dispatch with more descriptors than the largest usual heap") {
  HeapTest test;
  DescriptorHeap heap = test.Acquire(100'000);
  EXPECT_EQUAL(heap.capacity, 100'000u);
  // The pool does not keep a heap of this size.
  test.pool.Release(std::move(heap));
  EXPECT_EQUAL(test.pool.IdleBytes(), 0u);
}

TEST("no more than four descriptor heaps are kept, and after a pause none") {
  HeapTest test;
  std::vector<DescriptorHeap> heaps;
  for (int i = 0; i < 5; ++i) heaps.push_back(test.Acquire(1));
  for (DescriptorHeap& heap : heaps) test.pool.Release(std::move(heap));
  heaps.clear();
  const auto bytes = static_cast<int64_t>(kDescriptorsPerHeap * sizeof(Descriptor));
  EXPECT_EQUAL(test.counters->descriptor_bytes, 4 * bytes);
  test.pool.Trim(Clock::now() - std::chrono::seconds(1));
  EXPECT_EQUAL(test.counters->descriptor_bytes, 4 * bytes);
  test.pool.Trim(Clock::time_point::max());
  EXPECT_EQUAL(test.counters->descriptor_bytes, 0);
}

TEST("a reused list is open when it is acquired, and its allocator was reset") {
  ContextTest test;
  CommandContext context = test.Acquire();
  auto* const list = static_cast<FakeList*>(context.list.Get());
  auto* const allocator = static_cast<FakeAllocator*>(context.allocator.Get());
  EXPECT(!list->recording()->is_closed);
  list->Close();
  test.pool.Release(std::move(context));
  const CommandContext again = test.Acquire();
  EXPECT(again.list.Get() == list);
  EXPECT(!list->recording()->is_closed);
  // Without a reset, the allocator would never free the memory of the earlier commands.
  EXPECT_EQUAL(allocator->recordings.size(), 1u);
  EXPECT_EQUAL(test.device->lists, 1);
}

TEST("a list to keep is new, and so is its allocator, whatever the pool has") {
  ContextTest test;
  test.pool.Release(test.Acquire());
  const CommandContext created = test.pool.Create(test.device.Get());
  EXPECT(!static_cast<FakeList*>(created.list.Get())->recording()->is_closed);
  EXPECT_EQUAL(test.device->lists, 2);
  test.Acquire();
  EXPECT_EQUAL(test.device->lists, 2);
}

TEST("a prepared list is acquired without a call to the device") {
  ContextTest test;
  test.pool.Prepare(test.device.Get());
  test.pool.Prepare(test.device.Get());
  EXPECT_EQUAL(test.device->lists, 1);
  test.device->is_out_of_memory = true;
  EXPECT(!static_cast<FakeList*>(test.Acquire().list.Get())->recording()->is_closed);
  // Only one list was prepared.
  EXPECT_EQUAL(ThrownCode([&] { test.Acquire(); }), "ERR_OUT_OF_MEMORY");
}

TEST("a list that cannot be prepared is an error only when it is needed") {
  ContextTest test;
  test.device->is_out_of_memory = true;
  test.pool.Prepare(test.device.Get());
  EXPECT_EQUAL(ThrownCode([&] { test.Acquire(); }), "ERR_OUT_OF_MEMORY");
  test.device->is_out_of_memory = false;
  EXPECT(test.Acquire().list.Get() != nullptr);
}

TEST("16 lists are kept, and two of them after a pause") {
  ContextTest test;
  const auto use = [&test](size_t count) {
    std::vector<CommandContext> contexts;
    for (size_t i = 0; i < count; ++i) contexts.push_back(test.Acquire());
    for (CommandContext& context : contexts) test.pool.Release(std::move(context));
  };
  use(17);
  EXPECT_EQUAL(test.device->lists, 17);
  use(17);
  EXPECT_EQUAL(test.device->lists, 18);
  test.pool.Trim(Clock::now() - std::chrono::seconds(1));
  use(16);
  EXPECT_EQUAL(test.device->lists, 18);
  test.pool.Trim(Clock::time_point::max());
  use(3);
  EXPECT_EQUAL(test.device->lists, 19);
}

TEST("a buffer takes the memory of a released one of its size, none of which is defined") {
  SpareTest test;
  std::shared_ptr<Resource> first = test.Create(5);
  const uint64_t id = first->id;
  test.pool.Keep(std::move(first));
  EXPECT_EQUAL(test.counters->temporary_bytes, 8);
  EXPECT_EQUAL(test.Taken(12), 0u);
  const std::shared_ptr<Resource> taken = test.pool.Take(8);
  EXPECT_EQUAL(taken->id, id);
  EXPECT_EQUAL(taken->defined_bytes, 0u);
  EXPECT_EQUAL(test.counters->temporary_bytes, 0);
  EXPECT_EQUAL(test.Taken(8), 0u);
}

TEST("memory is taken while lists of commands hold it, but not while anything else does") {
  SpareTest test;
  std::shared_ptr<Resource> a = test.Create(8);
  const uint64_t id = a->id;
  ListHold list(a), moved(std::move(list));
  test.pool.Keep(std::move(a));
  EXPECT_EQUAL(test.Taken(8), id);
  std::shared_ptr<Resource> b = test.Create(8);
  const std::shared_ptr<Resource> other = b;
  test.pool.Keep(std::move(b));
  EXPECT_EQUAL(test.Taken(8), 0u);
}

TEST("64 MiB of memory are kept, those that were released last, and after a pause none") {
  SpareTest test;
  const Clock::time_point began = Clock::now();
  for (uint64_t i = 1; i <= 5; ++i) test.pool.Keep(test.Create(15 * kMiB + i * kKiB));
  EXPECT_EQUAL(test.pool.bytes(), 60 * kMiB + 14 * kKiB);
  EXPECT_EQUAL(test.Taken(15 * kMiB + 1 * kKiB), 0u);
  test.pool.Keep(test.Create(65 * kMiB));
  EXPECT_EQUAL(test.Taken(65 * kMiB), 0u);
  test.pool.Trim(began);
  EXPECT_EQUAL(test.pool.bytes(), 60 * kMiB + 14 * kKiB);
  test.pool.Trim(Clock::now());
  EXPECT_EQUAL(test.pool.bytes(), 0u);
  EXPECT_EQUAL(test.counters->temporary_bytes, 0);
}

TEST("no more memory is allocated than the limit, which counts memory until it is freed") {
  PoolTest test;
  const auto device = std::make_shared<LiveCounters>(test.counters, 16);
  const auto create = [&](uint64_t size) { return CreateResource(test.device.Get(), size, device); };
  std::shared_ptr<Resource> first = create(9);
  EXPECT_EQUAL(test.counters->allocated_bytes, 12);
  EXPECT_EQUAL(ThrownCode([&] { create(5); }), "ERR_OUT_OF_MEMORY");
  const std::shared_ptr<Resource> second = create(4);
  EXPECT_EQUAL(ThrownCode([&] { create(1); }), "ERR_OUT_OF_MEMORY");
  first.reset();
  EXPECT_EQUAL(device->allocated_bytes, 4);
  create(12);
}

}  // namespace ndml::test
