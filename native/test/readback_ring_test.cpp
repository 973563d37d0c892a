#include "gpu/memory/readback_ring.h"

#include <deque>
#include <random>

#include "test/check.h"
#include "test/fakes/gpu.h"

namespace ndml::test {

namespace {

constexpr uint64_t kCapacity = 1024;

struct RingTest {
  /** Takes a part; returns it. */
  ReadbackRing::Part Take(uint64_t size) {
    const ReadbackRing::Part part = ring->Next(size);
    ring->WaitOnQueue(queue.Get(), part);
    ring->Take(part);
    return part;
  }
  /** True if the GPU does not have to wait before it writes the parts taken so far. */
  bool GpuMayWrite() {
    queue->Run();
    return queue->IsIdle();
  }
  int64_t InFlight() const { return counters->bytes_in_flight; }

  ComPtr<FakeDevice> device = Make<FakeDevice>();
  ComPtr<FakeQueue> queue = Make<FakeQueue>();
  std::shared_ptr<LiveCounters> counters = std::make_shared<LiveCounters>();
  std::unique_ptr<ReadbackRing> ring = std::make_unique<ReadbackRing>(device.Get(), kCapacity, counters);
};

}  // namespace

TEST("parts lie one after the other, each at a multiple of 64 bytes") {
  RingTest test;
  EXPECT_EQUAL(test.Take(100).offset, 0u);
  EXPECT_EQUAL(test.Take(64).offset, 128u);
  EXPECT_EQUAL(test.Take(1).offset, 192u);
  EXPECT(test.GpuMayWrite());
}

TEST("a part that does not fit before the end of the memory begins at offset 0") {
  RingTest test;
  const ReadbackRing::Part first = test.Take(600);
  test.ring->Release(first);
  EXPECT_EQUAL(test.Take(600).offset, 0u);
  EXPECT(test.GpuMayWrite());
}

TEST("a part may take all of the memory") {
  RingTest test;
  test.ring->Release(test.Take(kCapacity));
  EXPECT_EQUAL(test.Take(kCapacity).offset, 0u);
  EXPECT(test.GpuMayWrite());
}

TEST("the GPU waits until the memory of a part is released") {
  RingTest test;
  const ReadbackRing::Part first = test.Take(600);
  EXPECT(!test.ring->HasRoom(600));
  const ReadbackRing::Part second = test.Take(600);
  EXPECT_EQUAL(second.offset, 0u);
  EXPECT(!test.GpuMayWrite());
  test.ring->Release(first);
  EXPECT(test.GpuMayWrite());
}

TEST("the GPU waits only for the parts whose memory it needs") {
  RingTest test;
  const ReadbackRing::Part first = test.Take(256);
  test.Take(256);
  test.Take(256);
  test.Take(256);
  EXPECT_EQUAL(test.Take(256).offset, 0u);
  EXPECT(!test.GpuMayWrite());
  test.ring->Release(first);
  EXPECT(test.GpuMayWrite());
}

TEST("the GPU does not wait for bytes that were skipped at the end of the memory") {
  RingTest test;
  const ReadbackRing::Part first = test.Take(512);
  test.ring->Release(first);
  const ReadbackRing::Part second = test.Take(256);
  // Skips 256 bytes, which no part releases.
  EXPECT_EQUAL(test.Take(kCapacity).offset, 0u);
  test.ring->Release(second);
  EXPECT(test.GpuMayWrite());
}

TEST("the GPU never writes memory that is still read, whatever the sizes") {
  struct Taken {
    ReadbackRing::Part part;
    /** The position at which the part begins; `part.end` is where it ends. */
    uint64_t begin;
  };
  std::mt19937 random(7);
  for (int tries = 0; tries < 200; ++tries) {
    RingTest test;
    std::deque<Taken> taken;
    const auto release_first = [&] {
      test.ring->Release(taken.front().part);
      taken.pop_front();
    };
    const uint64_t largest = tries % 2 == 0 ? kCapacity : kCapacity / 8;
    for (int step = 0; step < 100; ++step) {
      if (random() % 2 == 0 && !taken.empty()) {
        release_first();
        continue;
      }
      const uint64_t size = 1 + random() % largest;
      const bool has_room = test.ring->HasRoom(size);
      const ReadbackRing::Part part = test.Take(size);
      EXPECT_EQUAL((part.end - size) % kCapacity, part.offset);
      EXPECT(part.offset + size <= kCapacity);
      EXPECT_EQUAL(test.GpuMayWrite(), has_room);
      while (!test.GpuMayWrite()) {
        if (taken.empty()) return Fail("the GPU waits for ever");
        release_first();
      }
      // The part must end before the memory of the oldest unreleased part, one lap later.
      if (!taken.empty()) EXPECT(part.end <= taken.front().begin + kCapacity);
      taken.push_back({part, part.end - size});
    }
  }
}

TEST("bytes in flight are those of unreleased parts, and none once the ring is freed") {
  RingTest test;
  const ReadbackRing::Part first = test.Take(128);
  test.Take(64);
  EXPECT_EQUAL(test.InFlight(), 192);
  EXPECT(!test.ring->IsIdle());
  test.ring->Release(first);
  EXPECT_EQUAL(test.InFlight(), 64);
  EXPECT_EQUAL(test.counters->staging_bytes, int64_t{kCapacity});
  test.ring.reset();
  EXPECT_EQUAL(test.InFlight(), 0);
  EXPECT_EQUAL(test.counters->staging_bytes, 0);
}

TEST("a device that has no memory for the ring is reported") {
  RingTest test;
  test.device->is_out_of_memory = true;
  EXPECT_EQUAL(ThrownCode([&] { ReadbackRing(test.device.Get(), kCapacity, test.counters); }), "ERR_OUT_OF_MEMORY");
  EXPECT_EQUAL(test.counters->staging_bytes, int64_t{kCapacity});
}

}  // namespace ndml::test
