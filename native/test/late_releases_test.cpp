#include "gpu/memory/late_releases.h"

#include "test/check.h"
#include "test/fakes/gpu.h"

namespace ndml::test {

namespace {

struct LateTest {
  /** Adds the only reference to an object. Returns its life. */
  std::weak_ptr<const void> Add() {
    const ComPtr<FakeResource> object = Make<FakeResource>(D3D12_HEAP_TYPE_DEFAULT, 4);
    releases.Add(ComPtr<IUnknown>(object.Get()));
    return object->Life();
  }
  bool IsAwake() { return ::WaitForSingleObject(wake.Get(), 0) == WAIT_OBJECT_0; }

  UniqueHandle wake{::CreateEventW(nullptr, FALSE, FALSE, nullptr)};
  LateReleases releases{wake.Get()};
};

}  // namespace

TEST("an object lives until the other thread, which it wakes, releases it") {
  LateTest test;
  EXPECT(!test.IsAwake());
  const std::weak_ptr<const void> first = test.Add(), second = test.Add();
  EXPECT(test.IsAwake());
  EXPECT(!first.expired() && !second.expired());
  test.releases.ReleaseAll();
  EXPECT(first.expired() && second.expired());
}

TEST("closing releases what is there, and later objects are released at once") {
  LateTest test;
  const std::weak_ptr<const void> early = test.Add();
  test.releases.Close();
  EXPECT(early.expired());
  EXPECT(test.Add().expired());
}

}  // namespace ndml::test
