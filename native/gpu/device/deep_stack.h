/** Runs work on a thread with a large stack, because DirectML compiles a graph by recursion along its longest path. */
#pragma once

#include <functional>

namespace ndml {

/** Waits until the work is done, and rethrows its exception. */
void RunOnDeepStack(const std::function<void()>& work);

}  // namespace ndml
