/**
 * The C++ program with which the package is compared:
 *   directml-bench <path of DirectML.dll> <adapter's LUID> [startup <devices>]
 * It reads one command per line and answers each with one line, so that its runs can alternate with JavaScript's.
 * `large`, `batch`, `network`, `list`, `replay`, `upload`, `readback`, `readinto`, `compile`, `graph`, `decode` and `frame`
 * answer with their time in microseconds, `check <command>` with a hash of that command's result. `token` and `recording` answer
 * with the time for which this thread works for one token or one frame.
 *
 * With `startup`, it opens devices one after the other. It prints the time of the first in microseconds, and by how many bytes the
 * memory of the process has grown.
 */
#include <windows.h>

#include <psapi.h>

#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include "decoder.h"
#include "frame.h"
#include "graph.h"
#include "network.h"
#include "work.h"

namespace {

using bench::Microseconds;

constexpr uint32_t kLargeElements = 1'000'000, kLargeUpdates = 100'000;
constexpr uint32_t kBatchElements = 1'000, kBatchUpdates = 100;
constexpr unsigned kBatchDispatches = 1'000;
constexpr unsigned kLayers = 10;
constexpr uint32_t kCompiledNodes = 1'000, kDispatchedNodes = 100;
constexpr unsigned kGraphDispatches = 10;
constexpr unsigned kTokens = 20;
constexpr size_t kTransferWords = 16 * 1024 * 1024;

/** FNV-1a over 32-bit words. */
uint32_t Hash(const uint32_t* words, size_t count) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < count; ++i) hash = (hash ^ words[i]) * 16777619u;
  return hash;
}

uint32_t Hash(const std::vector<uint32_t>& words) { return Hash(words.data(), words.size()); }

void Serve(const std::string& directml_path, const std::string& adapter_luid) {
  bench::Gpu gpu(directml_path, adapter_luid);
  bench::Scatter large(gpu, kLargeElements, kLargeUpdates);
  bench::Scatter batch(gpu, kBatchElements, kBatchUpdates);
  bench::Network network(gpu, kLayers);
  bench::Transfer transfer(gpu, 4 * kTransferWords);
  std::vector<uint32_t> sent(kTransferWords);
  for (size_t i = 0; i < kTransferWords; ++i) sent[i] = static_cast<uint32_t>(i) * 2654435761u;
  // A row may be measured without the others, so the buffer needs contents even if `upload` is not measured.
  transfer.Upload(sent.data());
  std::unique_ptr<uint32_t[]> received;
  std::vector<uint32_t> reused(kTransferWords);
  bench::Graph graph(gpu, kDispatchedNodes);
  graph.Compile();
  graph.Prepare();
  bench::Decoder decoder(gpu);
  bench::Frame frame(gpu);

  std::cout << "ready" << std::endl;
  for (std::string command; std::getline(std::cin, command);) {
    if (!command.empty() && command.back() == '\r') command.pop_back();
    if (command == "large") {
      std::cout << Microseconds([&] { large.Run(1); });
    } else if (command == "batch") {
      std::cout << Microseconds([&] { batch.Run(kBatchDispatches); });
    } else if (command == "network") {
      std::cout << Microseconds([&] { network.Run(kBatchDispatches); });
    } else if (command == "list") {
      std::cout << Microseconds([&] { batch.RunInOneList(kBatchDispatches); });
    } else if (command == "replay") {
      std::cout << Microseconds([&] { batch.Replay(kBatchDispatches); });
    } else if (command == "upload") {
      std::cout << Microseconds([&] { transfer.Upload(sent.data()); });
    } else if (command == "readback") {
      received.reset();
      std::cout << Microseconds([&] { received = transfer.Readback(); });
    } else if (command == "readinto") {
      std::cout << Microseconds([&] { transfer.ReadInto(reused.data()); });
    } else if (command == "compile") {
      // The time includes the destruction of the graph, as JavaScript's time includes its disposal.
      std::cout << Microseconds([&] { bench::Graph(gpu, kCompiledNodes).Compile(); });
    } else if (command == "graph") {
      std::cout << Microseconds([&] { graph.Run(kGraphDispatches); });
    } else if (command == "decode") {
      std::cout << Microseconds([&] { decoder.Run(kTokens); });
    } else if (command == "frame") {
      std::cout << Microseconds([&] { frame.Run(); });
    } else if (command == "token") {
      std::cout << decoder.SubmissionTime();
    } else if (command == "recording") {
      std::cout << frame.RecordingTime();
    } else if (command == "check frame") {
      std::cout << Hash(frame.Result());
    } else if (command == "check decode") {
      std::cout << Hash(decoder.Result());
    } else if (command == "check graph") {
      std::cout << Hash(graph.Result());
    } else if (command == "check large") {
      std::cout << Hash(large.Result(1));
    } else if (command == "check batch" || command == "check list" || command == "check replay") {
      std::cout << Hash(batch.Result(kBatchDispatches));
    } else if (command == "check network") {
      std::cout << Hash(network.Result());
    } else if (command == "check upload" || command == "check readback" || command == "check readinto") {
      std::cout << Hash(transfer.Readback().get(), kTransferWords);
    } else {
      std::cout << "unknown command";
    }
    std::cout << std::endl;
  }
}

/** The resident memory of this process in bytes, like process.memoryUsage.rss() of Node.js. */
size_t ResidentBytes() {
  PROCESS_MEMORY_COUNTERS counters = {};
  counters.cb = sizeof(counters);
  if (!::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof(counters))) {
    throw std::runtime_error("GetProcessMemoryInfo failed");
  }
  return counters.WorkingSetSize;
}

void StartUp(const std::string& directml_path, const std::string& adapter_luid, int devices) {
  const size_t before = ResidentBytes();
  std::unique_ptr<bench::Gpu> gpu;
  const auto open = [&] { gpu = std::make_unique<bench::Gpu>(directml_path, adapter_luid); };
  const double time = Microseconds(open);
  for (int i = 1; i < devices; ++i) {
    gpu.reset();
    open();
  }
  std::cout << time << ' ' << ResidentBytes() - before << std::endl;
}

}  // namespace

int main(int count, char** arguments) {
  const bool is_startup = count == 5 && std::string(arguments[3]) == "startup";
  if (count != 3 && !is_startup) {
    std::cerr << "directml-bench <path of DirectML.dll> <adapter's LUID> [startup <devices>]" << std::endl;
    return 2;
  }
  std::cout.precision(12);
  try {
    if (is_startup) {
      StartUp(arguments[1], arguments[2], std::stoi(arguments[4]));
    } else {
      Serve(arguments[1], arguments[2]);
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}
