#include "gpu/record/hazards.h"

#include <random>
#include <tuple>

#include "test/check.h"
#include "test/fakes/gpu.h"

namespace ndml::test {

namespace {

/** A command list with its hazards. Its commands run at the end of the test. */
struct Recorded {
  Recorded() = default;
  ~Recorded() {
    list->Close();
    ID3D12CommandList* const lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    queue->Run();
  }

  void Dispatch(const std::vector<std::shared_ptr<Resource>>& inputs,
                const std::vector<std::shared_ptr<Resource>>& outputs) {
    std::vector<ResourceUse> uses;
    std::vector<Descriptor> bound;
    const auto add = [&](const std::vector<std::shared_ptr<Resource>>& resources, Role role) {
      for (const auto& resource : resources) {
        uses.push_back({&resource, role != Role::kInput});
        bound.push_back({&FakeOf(resource), 0, resource->capacity, role});
      }
    };
    add(inputs, Role::kInput);
    add(outputs, Role::kOutput);
    hazards.UseForDispatch(uses);
    hazards.Flush();
    list->RecordDispatch(bound);
  }

  void Copy(const std::shared_ptr<Resource>& source, const std::shared_ptr<Resource>& target, uint64_t begin = 0,
            uint64_t end = 16) {
    hazards.UseForCopy(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 0);
    hazards.UseForCopy(target, D3D12_RESOURCE_STATE_COPY_DEST, begin, end);
    hazards.Flush();
    list->CopyBufferRegion(target->d3d12.Get(), begin, source->d3d12.Get(), 0, end - begin);
  }

  /** As Copies::CopyTexture does. The fake texture is a resource of bytes, which are copied like those of a buffer. */
  void CopyTexture(const std::shared_ptr<Resource>& texture, const std::shared_ptr<Resource>& rows, bool to_rows) {
    hazards.UseTexture(texture, to_rows ? D3D12_RESOURCE_STATE_COPY_SOURCE : D3D12_RESOURCE_STATE_COPY_DEST);
    hazards.UseForCopy(rows, to_rows ? D3D12_RESOURCE_STATE_COPY_DEST : D3D12_RESOURCE_STATE_COPY_SOURCE, 0, 16);
    hazards.Flush();
    const auto& [from, to] = to_rows ? std::tie(texture, rows) : std::tie(rows, texture);
    list->CopyBufferRegion(to->d3d12.Get(), 0, from->d3d12.Get(), 0, 16);
    hazards.EndTextureCopy(texture);
  }

  ComPtr<FakeDevice> device = Make<FakeDevice>();
  ComPtr<FakeQueue> queue = Make<FakeQueue>();
  ComPtr<FakeAllocator> allocator = Make<FakeAllocator>();
  ComPtr<FakeList> list = Make<FakeList>(allocator.Get());
  Hazards hazards{list.Get()};
  std::shared_ptr<Resource> a = CreateNamed(device.Get(), "a", 16);
  std::shared_ptr<Resource> b = CreateNamed(device.Get(), "b", 16);
  std::shared_ptr<Resource> c = CreateNamed(device.Get(), "c", 16);
};

}  // namespace

TEST("a dispatch that reads what another one wrote waits for it") {
  Recorded recorded;
  recorded.Dispatch({}, {recorded.a});
  recorded.Dispatch({recorded.a}, {recorded.b});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; uav; dispatch");
}

TEST("a dispatch that overwrites what another one reads waits for it") {
  Recorded recorded;
  recorded.Dispatch({recorded.a}, {recorded.b});
  recorded.Dispatch({recorded.c}, {recorded.a});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; uav; dispatch");
}

TEST("a dispatch that overwrites what another one wrote waits for it") {
  Recorded recorded;
  recorded.Dispatch({recorded.a}, {recorded.b});
  recorded.Dispatch({recorded.c}, {recorded.b});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; uav; dispatch");
}

TEST("dispatches that read the same, and write different buffers, run side by side") {
  Recorded recorded;
  recorded.Dispatch({recorded.a}, {recorded.b});
  recorded.Dispatch({recorded.a}, {recorded.c});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; dispatch");
}

TEST("a dispatch that works in place needs no barrier by itself") {
  Recorded recorded;
  recorded.Dispatch({recorded.a}, {recorded.a});
  EXPECT_EQUAL(recorded.list->log(), "dispatch");
  recorded.Dispatch({recorded.a}, {recorded.a});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; uav; dispatch");
}

TEST("one barrier orders all dispatches before it") {
  Recorded recorded;
  recorded.Dispatch({}, {recorded.a});
  recorded.Dispatch({}, {recorded.b});
  recorded.Dispatch({recorded.a}, {recorded.c});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; dispatch; uav; dispatch");
  recorded.Dispatch({recorded.b}, {});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; dispatch; uav; dispatch; dispatch");
}

TEST("a hazard between dispatches after a barrier needs another barrier") {
  Recorded recorded;
  recorded.Dispatch({}, {recorded.a});
  recorded.Dispatch({recorded.a}, {recorded.b});
  recorded.Dispatch({recorded.b}, {recorded.c});
  EXPECT_EQUAL(recorded.list->log(), "dispatch; uav; dispatch; uav; dispatch");
}

TEST("a copy out of a buffer waits for the dispatch that wrote it") {
  Recorded recorded;
  recorded.Dispatch({}, {recorded.a});
  recorded.Copy(recorded.a, recorded.b);
  EXPECT_EQUAL(recorded.list->log(), "dispatch; a: UNORDERED_ACCESS > COPY_SOURCE; copy a > b");
}

TEST("a copy into a buffer waits for the dispatch that reads it") {
  Recorded recorded;
  recorded.Dispatch({recorded.b}, {recorded.c});
  recorded.Copy(recorded.a, recorded.b);
  EXPECT_EQUAL(recorded.list->log(), "dispatch; b: UNORDERED_ACCESS > COPY_DEST; copy a > b");
}

TEST("a dispatch waits for copies into what it reads, and out of what it writes") {
  Recorded recorded;
  recorded.Copy(recorded.a, recorded.b);
  recorded.Dispatch({recorded.b}, {recorded.a});
  EXPECT_EQUAL(recorded.list->log(),
               "copy a > b; b: COPY_DEST > UNORDERED_ACCESS; a: COPY_SOURCE > UNORDERED_ACCESS; dispatch");
}

TEST("a transition orders the dispatches before it, so that no other barrier is needed") {
  Recorded recorded;
  recorded.Dispatch({}, {recorded.a});
  recorded.Copy(recorded.a, recorded.b);
  recorded.Dispatch({recorded.a}, {recorded.c});
  recorded.Dispatch({recorded.a}, {});
  EXPECT_EQUAL(recorded.list->log(),
               "dispatch; a: UNORDERED_ACCESS > COPY_SOURCE; copy a > b; a: COPY_SOURCE > UNORDERED_ACCESS; dispatch; "
               "dispatch");
}

TEST("a copy out of a buffer waits for an earlier copy into it") {
  Recorded recorded;
  recorded.Copy(recorded.a, recorded.b);
  recorded.Copy(recorded.b, recorded.c);
  EXPECT_EQUAL(recorded.list->log(), "copy a > b; b: COPY_DEST > COPY_SOURCE; copy b > c");
}

TEST("copies out of one buffer need no barrier") {
  Recorded recorded;
  recorded.Copy(recorded.a, recorded.b);
  recorded.Copy(recorded.a, recorded.c);
  EXPECT_EQUAL(recorded.list->log(), "copy a > b; copy a > c");
}

TEST("copies into the same bytes run in their order") {
  Recorded recorded;
  recorded.Copy(recorded.a, recorded.c, 0, 8);
  recorded.Copy(recorded.b, recorded.c, 4, 12);
  EXPECT_EQUAL(recorded.list->log(), "copy a > c; c: COPY_DEST > COMMON; c: COMMON > COPY_DEST; copy b > c");
}

TEST("copies into different bytes of a buffer need no barrier") {
  Recorded recorded;
  recorded.Copy(recorded.a, recorded.c, 0, 4);
  recorded.Copy(recorded.a, recorded.c, 4, 8);
  recorded.Copy(recorded.a, recorded.c, 12, 16);
  EXPECT_EQUAL(recorded.list->log(), "copy a > c; copy a > c; copy a > c");
}

TEST("a copy into the bytes of an earlier copy waits even if copies in between went elsewhere") {
  Recorded recorded;
  recorded.Copy(recorded.a, recorded.c, 8, 12);
  recorded.Copy(recorded.a, recorded.c, 12, 16);
  recorded.Copy(recorded.a, recorded.c, 0, 4);
  recorded.Copy(recorded.b, recorded.c, 14, 16);
  EXPECT_EQUAL(recorded.list->log(),
               "copy a > c; copy a > c; copy a > c; c: COPY_DEST > COMMON; c: COMMON > COPY_DEST; copy b > c");
}

TEST("a texture is in the state COMMON before and after each copy") {
  Recorded recorded;
  recorded.CopyTexture(recorded.a, recorded.b, true);
  recorded.CopyTexture(recorded.a, recorded.c, false);
  EXPECT_EQUAL(recorded.list->log(),
               "a: COMMON > COPY_SOURCE; copy a > b; a: COPY_SOURCE > COMMON; "
               "a: COMMON > COPY_DEST; copy c > a; a: COPY_DEST > COMMON");
}

TEST("a dispatch waits for the copy of a texture into the rows that it reads") {
  Recorded recorded;
  recorded.CopyTexture(recorded.a, recorded.b, true);
  recorded.Dispatch({recorded.b}, {recorded.c});
  EXPECT_EQUAL(
      recorded.list->log(),
      "a: COMMON > COPY_SOURCE; copy a > b; a: COPY_SOURCE > COMMON; b: COPY_DEST > UNORDERED_ACCESS; dispatch");
}

TEST("a copy into a texture waits for the dispatch that wrote the rows") {
  Recorded recorded;
  recorded.Dispatch({recorded.c}, {recorded.b});
  recorded.CopyTexture(recorded.a, recorded.b, false);
  EXPECT_EQUAL(recorded.list->log(),
               "dispatch; a: COMMON > COPY_DEST; b: UNORDERED_ACCESS > COPY_SOURCE; copy b > a; a: COPY_DEST > COMMON");
}

TEST("copies of textures into the same rows run in their order") {
  Recorded recorded;
  recorded.CopyTexture(recorded.a, recorded.b, true);
  recorded.CopyTexture(recorded.c, recorded.b, true);
  EXPECT_EQUAL(recorded.list->log(),
               "a: COMMON > COPY_SOURCE; copy a > b; a: COPY_SOURCE > COMMON; c: COMMON > COPY_SOURCE; "
               "b: COPY_DEST > COMMON; b: COMMON > COPY_DEST; copy c > b; c: COPY_SOURCE > COMMON");
}

TEST("a buffer is kept until the list is finished") {
  Recorded recorded;
  const std::weak_ptr<Resource> a = recorded.a;
  {
    Hazards hazards(recorded.list.Get());
    hazards.UseForDispatch({{&recorded.a, false}});
    recorded.a.reset();
    EXPECT(!a.expired());
  }
  EXPECT(a.expired());
}

TEST("random commands are ordered wherever they use the same bytes") {
  std::mt19937 random(5);
  const auto below = [&random](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  for (int lists = 0; lists < 500; ++lists) {
    Recorded recorded;
    const std::shared_ptr<Resource> buffers[] = {recorded.a, recorded.b, recorded.c,
                                                 CreateNamed(recorded.device.Get(), "d", 16)};
    const std::shared_ptr<Resource> texture = CreateNamed(recorded.device.Get(), "texture", 16);
    for (int commands = 0; commands < 12; ++commands) {
      const auto& first = buffers[below(4)];
      const auto& second = buffers[below(4)];
      if (below(4) == 0) {
        recorded.CopyTexture(texture, first, below(2) == 0);
      } else if (below(2) == 0) {
        recorded.Dispatch({first, buffers[below(4)]}, {second});
      } else if (first != second) {
        const uint64_t begin = below(4) * 4;
        recorded.Copy(first, second, begin, begin + 4);
      }
    }
  }
}

}  // namespace ndml::test
