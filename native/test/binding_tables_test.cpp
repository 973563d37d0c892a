#include "gpu/record/binding_tables.h"

#include <deque>
#include <random>

#include "test/check.h"
#include "test/fakes/directml.h"

namespace ndml::test {

namespace {

struct Range {
  std::shared_ptr<Resource> resource;
  uint64_t offset = 0;
  uint64_t size = 16;
};

/** Binds tables for one command list after the other. The lists run when the test calls `Finish`. */
struct TablesTest {
  TablesTest() { Begin(); }
  ~TablesTest() {
    End();
    Finish();
  }

  /** Records a dispatch; returns its table. */
  FakeBindingTable* Dispatch(const ComPtr<FakeOperator>& op, const std::vector<Range>& inputs,
                             const std::vector<Range>& outputs, UINT descriptor_count = 4) {
    DispatchBindings bindings;
    bindings.ranges.reserve(inputs.size() + outputs.size());
    const auto add = [&bindings](const std::vector<Range>& ranges, std::vector<DML_BINDING_DESC>* descs) {
      for (const auto& [resource, offset, size] : ranges) {
        bindings.ranges.push_back({resource->d3d12.Get(), offset, size});
        bindings.resources.push_back(resource->id);
        descs->push_back({DML_BINDING_TYPE_BUFFER, &bindings.ranges.back()});
      }
    };
    add(inputs, &bindings.inputs);
    add(outputs, &bindings.outputs);
    auto* const table = static_cast<FakeBindingTable*>(tables.Bind(list.Get(), op.Get(), descriptor_count, bindings));
    recorder->RecordDispatch(list.Get(), op.Get(), table);
    D3D12_RESOURCE_BARRIER barrier = {};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    list->ResourceBarrier(1, &barrier);
    ExpectBound(table, inputs, outputs);
    return table;
  }

  static void ExpectBound(const FakeBindingTable* table, const std::vector<Range>& inputs,
                          const std::vector<Range>& outputs) {
    EXPECT_EQUAL(table->bound(), inputs.size() + outputs.size());
    for (size_t i = 0; i < table->bound(); ++i) {
      const Range& range = i < inputs.size() ? inputs[i] : outputs[i - inputs.size()];
      const Descriptor& slot = table->slots()[i];
      EXPECT(slot.resource == range.resource->d3d12.Get() && slot.offset == range.offset && slot.size == range.size);
      EXPECT(slot.role == (i < inputs.size() ? Role::kInput : Role::kOutput));
    }
  }

  void Begin() {
    tables.Begin();
    allocators.push_back(Make<FakeAllocator>());
    list = Make<FakeList>(allocators.back().Get());
  }
  /** Submits the list. */
  void End() {
    list->Close();
    ID3D12CommandList* const lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    submitted.push_back(tables.TakeHeaps());
  }
  void BeginNext() {
    End();
    Begin();
  }
  /** Runs all submitted lists. */
  void Finish() {
    queue->Run();
    for (; !submitted.empty(); submitted.pop_front()) tables.Release(std::move(submitted.front()));
  }

  static ComPtr<IDMLCommandRecorder> CreateRecorder(FakeDml* creator) {
    ComPtr<IDMLCommandRecorder> created;
    creator->CreateCommandRecorder(Iid<IDMLCommandRecorder>::value, created.Put());
    return created;
  }

  ComPtr<FakeDevice> device = Make<FakeDevice>();
  ComPtr<FakeDml> dml = Make<FakeDml>();
  ComPtr<IDMLCommandRecorder> recorder = CreateRecorder(dml.Get());
  ComPtr<FakeQueue> queue = Make<FakeQueue>();
  BindingTables tables{device.Get(), dml.Get(), std::make_shared<LiveCounters>()};
  ComPtr<FakeOperator> op = Make<FakeOperator>();
  ComPtr<FakeOperator> other_op = Make<FakeOperator>();
  std::shared_ptr<Resource> a = CreateNamed(device.Get(), "a", 64);
  std::shared_ptr<Resource> b = CreateNamed(device.Get(), "b", 64);
  std::shared_ptr<Resource> c = CreateNamed(device.Get(), "c", 64);
  ComPtr<FakeList> list;
  std::deque<ComPtr<FakeAllocator>> allocators;
  std::deque<BindingTables::Heaps> submitted;
};

/** Descriptors of a table. Four such tables fit into a heap of the usual size, and make it nearly full. */
constexpr UINT kQuarter = 1000;

}  // namespace

TEST("the same dispatch gets the same table, in later lists too") {
  TablesTest test;
  const FakeBindingTable* const table = test.Dispatch(test.op, {{test.a}}, {{test.b}});
  const FakeBindingTable* const other = test.Dispatch(test.op, {{test.b}}, {{test.a}});
  EXPECT(other != table);
  EXPECT(test.Dispatch(test.op, {{test.a}}, {{test.b}}) == table);
  test.BeginNext();
  EXPECT(test.Dispatch(test.op, {{test.a}}, {{test.b}}) == table);
  EXPECT(test.Dispatch(test.op, {{test.b}}, {{test.a}}) == other);
}

TEST("a dispatch of another operator, or with another range, gets a table of its own") {
  TablesTest test;
  const FakeBindingTable* const table = test.Dispatch(test.op, {{test.a, 0, 16}}, {{test.b}});
  EXPECT(test.Dispatch(test.other_op, {{test.a, 0, 16}}, {{test.b}}) != table);
  EXPECT(test.Dispatch(test.op, {{test.a, 4, 16}}, {{test.b}}) != table);
  EXPECT(test.Dispatch(test.op, {{test.a, 0, 12}}, {{test.b}}) != table);
  EXPECT(test.Dispatch(test.op, {{test.c, 0, 16}}, {{test.b}}) != table);
}

TEST("a buffer at the address of a freed one gets descriptors of its own") {
  TablesTest test;
  const FakeBindingTable* const table = test.Dispatch(test.op, {{test.a}}, {{test.b}});
  const auto successor = std::make_shared<Resource>();
  successor->d3d12 = test.a->d3d12;
  successor->id = test.c->id + 1;
  EXPECT(test.Dispatch(test.op, {{successor}}, {{test.b}}) != table);
}

TEST("only the inputs and outputs that an operator has are bound") {
  TablesTest test;
  test.Dispatch(test.op, {}, {{test.a}});
  test.Dispatch(test.other_op, {{test.a}}, {});
}

TEST("with more dispatches than a heap has room for, earlier descriptors stay as they are") {
  TablesTest test;
  for (uint64_t i = 0; i < 9; ++i) test.Dispatch(test.op, {{test.a, 4 * i}}, {{test.b}}, kQuarter);
  EXPECT_EQUAL(test.device->heaps, 3);
  test.End();
  test.Finish();
  test.Begin();
  // The full heaps are reused.
  for (uint64_t i = 0; i < 8; ++i) test.Dispatch(test.op, {{test.c, 4 * i}}, {{test.b}}, kQuarter);
  EXPECT_EQUAL(test.device->heaps, 3);
}

TEST("a dispatch with more descriptors than the usual heap gets a larger one") {
  TablesTest test;
  test.Dispatch(test.op, {{test.a}}, {{test.b}}, kDescriptorsPerHeap + 1);
  test.Dispatch(test.op, {{test.b}}, {{test.a}});
  EXPECT_EQUAL(test.device->heaps, 1);
}

TEST("a heap that the GPU still reads is not emptied") {
  TablesTest test;
  for (uint64_t i = 0; i < 4; ++i) test.Dispatch(test.op, {{test.a, 4 * i}}, {{test.b}}, kQuarter);
  test.BeginNext();
  for (uint64_t i = 0; i < 4; ++i) test.Dispatch(test.op, {{test.c, 4 * i}}, {{test.b}}, kQuarter);
  EXPECT_EQUAL(test.device->heaps, 2);
}

TEST("a nearly full heap is emptied between lists, once the GPU has finished") {
  TablesTest test;
  for (uint64_t i = 0; i < 4; ++i) test.Dispatch(test.op, {{test.a, 4 * i}}, {{test.b}}, kQuarter);
  test.End();
  test.Finish();
  test.Begin();
  // The first table would fit into the rest of the heap, the second one would not.
  test.Dispatch(test.op, {{test.c}}, {{test.b}}, 4);
  test.Dispatch(test.op, {{test.a}}, {{test.b}}, kQuarter);
  EXPECT_EQUAL(test.device->heaps, 1);
}

TEST("a nearly full heap is not emptied while lists only repeat what is in it") {
  TablesTest test;
  const auto dispatch_all = [&test] {
    std::vector<const FakeBindingTable*> used;
    for (uint64_t i = 0; i < 4; ++i) used.push_back(test.Dispatch(test.op, {{test.a, 4 * i}}, {{test.b}}, kQuarter));
    return used;
  };
  dispatch_all();
  test.BeginNext();
  const std::vector<const FakeBindingTable*> used = dispatch_all();
  test.End();
  test.Finish();
  test.Begin();
  const Descriptor* const first = used[0]->slots();
  EXPECT(dispatch_all() == used);
  EXPECT(used[0]->slots() == first);
}

TEST("a forgotten operator is freed, and the tables of others stay") {
  TablesTest test;
  const std::weak_ptr<const void> life = test.op->Life();
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
  const FakeBindingTable* const other = test.Dispatch(test.other_op, {{test.a}}, {{test.b}});
  test.End();
  test.Finish();
  test.tables.Forget(test.op.Get());
  test.op.Reset();
  EXPECT(life.expired());
  test.Begin();
  EXPECT(test.Dispatch(test.other_op, {{test.a}}, {{test.b}}) == other);
}

TEST("an operator at the address of a forgotten one gets a table of its own") {
  TablesTest test;
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
  test.tables.Forget(test.op.Get());
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
  test.Dispatch(test.op, {{test.b}}, {{test.a}});
}

TEST("more dispatches than the hash table has entries are recorded correctly, and keep no operator alive") {
  TablesTest test;
  const std::weak_ptr<const void> life = test.op->Life();
  const auto large = CreateNamed(test.device.Get(), "large", 16384);
  for (int tries = 0; tries < 2; ++tries) {
    for (uint64_t i = 0; i < 3000; ++i) test.Dispatch(test.op, {{large, 4 * i, 4}}, {}, 1);
  }
  test.End();
  test.Finish();
  test.tables.Forget(test.op.Get());
  test.op.Reset();
  EXPECT(life.expired());
  test.Begin();
}

TEST("after DirectML ran out of memory for a table, the next dispatch gets one") {
  TablesTest test;
  test.dml->next_table = E_OUTOFMEMORY;
  EXPECT_EQUAL(ThrownCode([&] { test.Dispatch(test.op, {{test.a}}, {{test.b}}); }), "ERR_OUT_OF_MEMORY");
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
}

TEST("after the device ran out of memory for a heap, the next dispatch gets one") {
  TablesTest test;
  test.device->is_out_of_memory = true;
  EXPECT_EQUAL(ThrownCode([&] { test.Dispatch(test.op, {{test.a}}, {{test.b}}); }), "ERR_OUT_OF_MEMORY");
  test.device->is_out_of_memory = false;
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
}

TEST("a dropped heap is no longer written to, and lives as long as a list uses it") {
  TablesTest test;
  test.tables.DropHeap();
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
  test.submitted.push_back(test.tables.TakeHeaps());
  test.tables.DropHeap();
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
  EXPECT_EQUAL(test.submitted[0].size(), 1u);
  EXPECT_EQUAL(test.submitted[0][0]->used, 4u);
  EXPECT_EQUAL(test.device->heaps, 2);
}

TEST("a heap is kept over a pause, unless it is larger than usual") {
  TablesTest test;
  test.Dispatch(test.op, {{test.a}}, {{test.b}});
  EXPECT_EQUAL(test.tables.IdleBytes(), 0u);
  test.End();
  test.Finish();
  EXPECT_EQUAL(test.tables.IdleBytes(), kDescriptorsPerHeap * sizeof(Descriptor));
  test.tables.Trim(Clock::time_point::max());
  EXPECT_EQUAL(test.tables.IdleBytes(), kDescriptorsPerHeap * sizeof(Descriptor));
  test.Begin();
  test.Dispatch(test.op, {{test.c}}, {{test.b}}, 2 * kDescriptorsPerHeap);
  test.tables.Trim(Clock::time_point::max());
  test.End();
  test.Finish();
  test.tables.Trim(Clock::time_point::max());
  EXPECT_EQUAL(test.tables.IdleBytes(), 0u);
  test.Begin();
}

TEST("random dispatches have their own bindings, whatever is forgotten, dropped and finished meanwhile") {
  std::mt19937 random(11);
  const auto below = [&random](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  // The recorder keeps operators alive; the tables need not.
  std::vector<ComPtr<FakeOperator>> replaced;
  std::vector<ComPtr<FakeOperator>> ops(4);
  for (ComPtr<FakeOperator>& op : ops) op = Make<FakeOperator>();
  TablesTest test;
  const std::shared_ptr<Resource> buffers[] = {test.a, test.b, test.c};
  for (int step = 0; step < 20'000; ++step) {
    switch (below(40)) {
      case 0:
        test.BeginNext();
        break;
      case 1:
        test.Finish();
        break;
      case 2: {
        ComPtr<FakeOperator>& op = ops[below(4)];
        test.tables.Forget(op.Get());
        replaced.push_back(std::exchange(op, Make<FakeOperator>()));
        break;
      }
      case 3:
        test.tables.Trim(Clock::time_point::max());
        break;
      default: {
        const Range input = {buffers[below(3)], 4 * uint64_t{below(8)}, 4 * uint64_t{1 + below(4)}};
        test.Dispatch(ops[below(4)], {input}, {{buffers[below(3)]}}, 2 + below(60));
      }
    }
  }
}

}  // namespace ndml::test
