#include "gpu/device/deep_stack.h"

#include <process.h>

#include <cstdint>
#include <exception>

#include "platform/com_ptr.h"
#include "platform/failure.h"

namespace ndml {

namespace {

/**
 * Size of the reserved address space; pages are committed when they are first used. The recursion takes about 140 bytes
 * per node, so the longest path, of 65,536 nodes, takes 9 MiB. Threads of libuv's pool have 8 MiB of stack, other threads
 * often 1 MiB.
 */
constexpr unsigned kStackBytes = 64 * 1024 * 1024;

struct Task {
  const std::function<void()>& work;
  std::exception_ptr failure;
};

unsigned __stdcall Run(void* data) {
  auto& task = *static_cast<Task*>(data);
  try {
    task.work();
  } catch (...) {
    task.failure = std::current_exception();
  }
  return 0;
}

}  // namespace

void RunOnDeepStack(const std::function<void()>& work) {
  Task task{work, nullptr};
  const uintptr_t thread =
      ::_beginthreadex(nullptr, kStackBytes, Run, &task, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (thread == 0) throw Failure("ERR_OUT_OF_MEMORY", "no thread could be started to compile the graph");
  const UniqueHandle handle(reinterpret_cast<HANDLE>(thread));
  ::WaitForSingleObject(handle.Get(), INFINITE);
  if (task.failure) std::rethrow_exception(task.failure);
}

}  // namespace ndml
