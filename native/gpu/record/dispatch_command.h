/** A dispatch: a compiled operator, and the ranges of buffers that it reads and writes. */
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/memory/late_releases.h"
#include "gpu/memory/resource.h"

namespace ndml {

/** A compiled operator, its binding properties and its persistent resource. */
struct CompiledOperator {
  CompiledOperator() = default;
  CompiledOperator(const CompiledOperator&) = delete;
  CompiledOperator& operator=(const CompiledOperator&) = delete;
  ~CompiledOperator() {
    if (releases) releases->Add(ComPtr<IUnknown>(dml.Get()));
  }

  ComPtr<IDMLCompiledOperator> dml;
  DML_BINDING_PROPERTIES properties = {};
  /** Null if the operator needs none. */
  std::shared_ptr<Resource> persistent;
  /** For each output, how many bytes from its start a dispatch overwrites; may be empty. */
  std::vector<uint64_t> overwritten;
  /** Releases `dml`; null if that takes no time. */
  std::shared_ptr<LateReleases> releases;
};

struct BufferRange {
  std::shared_ptr<Resource> resource;
  uint64_t offset = 0;
  uint64_t size = 0;
};

/** Ranges without a resource are bound as DML_BINDING_TYPE_NONE. */
struct DispatchCommand {
  std::shared_ptr<CompiledOperator> op;
  std::vector<BufferRange> inputs;
  std::vector<BufferRange> outputs;
};

}  // namespace ndml
