/**
 * Records dispatches, copies of textures and initializations into the open batch, with their barriers (hazards.h) and binding tables
 * (binding_tables.h).
 *
 * Contract: the caller has called `TryOpen` of Batches, and has checked all arguments; sizes are not checked again here.
 */
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/work/copies.h"
#include "gpu/work/later_reads.h"
#include "gpu/work/temporary_resource.h"

namespace ndml {

class CommandRecorder {
 public:
  CommandRecorder(IDMLDevice* dml, Batches* batches, BindingTables* tables, TemporaryResource* temporary,
                  Copies* copies, LaterReads* later_reads);
  CommandRecorder(const CommandRecorder&) = delete;
  CommandRecorder& operator=(const CommandRecorder&) = delete;

  /**
   * Allocates the temporary resource of a dispatch; throws ERR_OUT_OF_MEMORY. If the dispatch follows directly, it can
   * run out of memory only for a descriptor heap. It has then recorded no more than barriers and the zero-fill of new
   * buffers.
   */
  void Reserve(const DML_BINDING_PROPERTIES& properties);
  /** Records a dispatch; submits the batch if it is full. `measured` is its index if the profile measures it individually. */
  void Dispatch(const DispatchCommand& command, std::optional<size_t> measured = std::nullopt);
  void CopyTexture(const TextureCopy& copy);
  /** `inputs` is empty, or has one range per input of the operator. */
  void Initialize(const std::shared_ptr<CompiledOperator>& op, const ComPtr<IDMLOperatorInitializer>& initializer,
                  const std::vector<BufferRange>& inputs);
  /** Frees the binding tables that are kept for later dispatches of the operator. */
  void Forget(const CompiledOperator& op) { tables_->Forget(op.dml.Get()); }

 private:
  /** Binds the temporary and the persistent resource too, and records the dispatch. */
  void Record(IDMLDispatchable* dispatchable, const DML_BINDING_PROPERTIES& properties,
              const std::shared_ptr<Resource>& persistent, std::optional<size_t> measured);
  /** Records a dispatch in a batch that has stamps. */
  void RecordWithStamps(ListStamps* stamps, ID3D12GraphicsCommandList* list, IDMLDispatchable* dispatchable,
                        IDMLBindingTable* table, std::optional<size_t> measured);
  /** Clears the bindings of the previous dispatch. `count` ranges can then be added without moving earlier ones. */
  void BeginBindings(size_t count);
  /**
   * Adds the range to the bindings and its resource to the uses, which keep the address of the pointer. Returns a pointer to the
   * stored range.
   */
  const DML_BUFFER_BINDING* AddRange(const std::shared_ptr<Resource>& resource, uint64_t offset, uint64_t size,
                                     bool write, bool overwrites = false);
  /** Adds a range without a resource. */
  void AddNone();

  IDMLDevice* dml_;
  ComPtr<IDMLCommandRecorder> dml_recorder_;
  Batches* batches_;
  BindingTables* tables_;
  TemporaryResource* temporary_;
  Copies* copies_;
  LaterReads* later_reads_;
  // Scratch memory of the dispatch being recorded, reused to save allocations.
  std::vector<ResourceUse> uses_;
  DispatchBindings bindings_;
};

}  // namespace ndml
