#include "addon/device/memory_report.h"

#include "addon/values/own_properties.h"

namespace ndml {

Napi::Object MemoryToJs(Napi::Env env, const LiveCounters& counters, const IdleMemory& idle,
                        const std::optional<VideoMemoryInfo>& adapter) {
  const auto number = [&](int64_t bytes) { return Napi::Number::New(env, static_cast<double>(bytes)); };
  const auto pair = [&](const char* first, int64_t first_bytes, const char* second, int64_t second_bytes) {
    const Napi::Object object = Napi::Object::New(env);
    DefineOwn(object, first, number(first_bytes));
    DefineOwn(object, second, number(second_bytes));
    return object;
  };
  const auto pool = [&](int64_t all, int64_t unused) { return pair("inUse", all - unused, "idle", unused); };
  const auto segment = [&](const VideoMemorySegment& memory) {
    return pair("budget", static_cast<int64_t>(memory.budget), "usage", static_cast<int64_t>(memory.usage));
  };
  const Napi::Object memory = Napi::Object::New(env);
  if (adapter) {
    const Napi::Object segments = Napi::Object::New(env);
    DefineOwn(segments, "local", segment(adapter->local));
    DefineOwn(segments, "nonLocal", segment(adapter->non_local));
    DefineOwn(memory, "adapter", segments);
  } else {
    DefineOwn(memory, "adapter", env.Null());
  }
  DefineOwn(memory, "buffers", number(counters.buffer_bytes));
  DefineOwn(memory, "persistent", number(counters.persistent_bytes));
  DefineOwn(memory, "temporary", pool(counters.temporary_bytes, static_cast<int64_t>(idle.temporary)));
  DefineOwn(memory, "staging", pool(counters.staging_bytes, counters.staging_bytes - counters.bytes_in_flight));
  DefineOwn(memory, "descriptors", pool(counters.descriptor_bytes, static_cast<int64_t>(idle.descriptors)));
  return memory;
}

}  // namespace ndml
