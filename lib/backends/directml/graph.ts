/** Compiles graphs, and keeps the hidden tensors that each dispatch of a graph binds. */
import type { NativeDevice, NativeOperator, NativeRanges } from '../../../binding.js';
import type { ResolvedOperator } from '../../descriptors/resolved.js';
import {
  noDequantizedGemms,
  type BackendGraph,
  type BoundRanges,
  type BufferRange,
  type ConstantMemory,
  type DequantizedGemmCounts,
  type GraphMemory,
} from '../backend.js';
import { loadAddon } from './addon.js';
import { encodeOperator } from './encode.js';
import type { HiddenInput, LoweredGraph } from './lower-graph.js';
import { DirectMLBufferHandle, nativeOf } from './buffer-handle.js';
import { textOf } from './native-error.js';
import { dispatchOf, rowsOf } from './ranges.js';
import { retryingOutOfMemory } from './retry-out-of-memory.js';

/** What is left of a lowered graph once it is compiled. */
type KeptInputs = Pick<LoweredGraph, 'inputCount' | 'hiddenInputs'>;

type Attempt = 'taken' | 'refused' | 'none';

/** Finalizers hold it, so it must not lead to the device: something that belongs to the device may keep what they wait for. */
export class DirectMLGraph implements BackendGraph {
  readonly native: NativeOperator;
  readonly type = 'graph';
  /** What became of the graph that was tried first. */
  readonly attempt: Attempt;
  dequantizedGemms: DequantizedGemmCounts = noDequantizedGemms;
  readonly #inputs: KeptInputs;
  /** By hidden input; null for those that DirectML has taken over. */
  #hidden: readonly (BufferRange | null)[];
  readonly #scratch: readonly BufferRange[];
  #initializations = 0;

  private constructor(
    native: NativeOperator,
    attempt: Attempt,
    inputs: KeptInputs,
    hidden: readonly (BufferRange | null)[],
    scratch: readonly BufferRange[],
  ) {
    this.native = native;
    this.attempt = attempt;
    this.#inputs = inputs;
    this.#hidden = hidden;
    this.#scratch = scratch;
  }

  /**
   * Takes over the memory of constants that is the backend's own. The constants are those at the time of the call: what DirectML
   * takes over is bound before anything is awaited, and the rest is copied.
   *
   * @param tried The graph with fewer identities, which DirectML may refuse: compiled instead if DirectML takes it.
   */
  static async compile(
    device: NativeDevice,
    lowered: LoweredGraph,
    flags: number,
    constants: readonly ConstantMemory[],
    tried: LoweredGraph | null,
  ): Promise<DirectMLGraph> {
    const { inputCount, hiddenInputs, scratchOutputs } = lowered;
    const inputs = { inputCount, hiddenInputs };
    const memories: ConstantMemory[] = [];
    const scratch: BufferRange[] = [];
    const sequences: { readonly operator: ResolvedOperator; readonly range: BufferRange }[] = [];
    try {
      for (const { sequence, constant, isOwned, isShared, sizeInBytes } of hiddenInputs) {
        const given = constant === null ? undefined : constants[constant];
        const isReady = given !== undefined && (isOwned || isShared || given.isOwn);
        const memory = isReady ? given : { range: newRange(device, sizeInBytes), isOwn: true };
        memories.push(memory);
        if (given !== undefined && !isReady) copyRange(device, given.range, memory.range);
        if (sequence !== null) sequences.push({ operator: sequence, range: memory.range });
      }
      for (const sizeInBytes of scratchOutputs) scratch.push(newRange(device, sizeInBytes));
      // A retry would read a tensor of the user's as later commands left it.
      const canRetry = memories.every(({ isOwn }, i) => isOwn || hiddenInputs[i]?.isShared === true);
      const compile = ({ native: graph }: LoweredGraph) => {
        const once = () => device.compileGraph(graph, flags, initializationInputs(inputs, memories));
        return canRetry ? retryingOutOfMemory(once) : once();
      };
      const mayTry = tried !== null && canRetry;
      const taken = mayTry ? await compile(tried).catch(nullIfRefused) : null;
      const native = taken ?? (await compile(lowered));
      try {
        for (const { operator, range } of sequences) await compute(device, operator, range);
      } catch (error) {
        native.dispose();
        throw error;
      }
      disposeTaken(hiddenInputs, memories);
      return new DirectMLGraph(
        native,
        taken ? 'taken' : mayTry ? 'refused' : 'none',
        inputs,
        keptOf(hiddenInputs, memories),
        scratch,
      );
    } catch (error) {
      for (const { range, isOwn } of [...memories, ...constants]) if (isOwn) range.buffer.dispose();
      for (const { buffer } of scratch) buffer.dispose();
      throw error;
    }
  }

  get memory(): GraphMemory {
    const held = [...this.#own, ...this.#scratch].reduce((sum, range) => sum + (range?.sizeInBytes ?? 0), 0);
    const { temporaryResourceSize, persistentResourceSize } = this.native;
    return { temporary: temporaryResourceSize, persistent: persistentResourceSize, constants: held };
  }

  /** The hidden tensors whose memory is the graph's. */
  get #own(): readonly (BufferRange | null)[] {
    return this.#hidden.filter((_, i) => this.#inputs.hiddenInputs[i]?.isShared !== true);
  }

  /** How often the constants of the graph were replaced. Each time, its hidden tensors may change. */
  get initializations(): number {
    return this.#initializations;
  }

  /** Records that the graph has other constants from now on. */
  initialize(device: NativeDevice, constants: readonly ConstantMemory[]): void {
    const { hiddenInputs } = this.#inputs;
    const memories = hiddenInputs.map(({ constant, isOwned, isShared, sizeInBytes }, i): ConstantMemory => {
      const given = constant === null ? undefined : constants[constant];
      const before = this.#hidden[i] ?? null;
      if (given === undefined) return { range: before ?? newRange(device, sizeInBytes), isOwn: true };
      if (isOwned || isShared || given.isOwn) return given;
      const range = newRange(device, sizeInBytes);
      copyRange(device, given.range, range);
      return { range, isOwn: true };
    });
    if (hiddenInputs.some(({ isOwned }) => isOwned)) {
      device.initialize(this.native, initializationInputs(this.#inputs, memories));
    }
    disposeTaken(hiddenInputs, memories);
    const kept = new Set(keptOf(hiddenInputs, memories));
    for (const range of this.#own) if (range !== null && !kept.has(range)) range.buffer.dispose();
    this.#hidden = keptOf(hiddenInputs, memories);
    this.#initializations += 1;
  }

  /** What a dispatch binds: these tensors and the hidden ones. */
  bind(ranges: BoundRanges): BoundRanges {
    const hasHidden = this.#hidden.length > 0 || this.#scratch.length > 0;
    if (!hasHidden) return ranges;
    return { inputs: [...ranges.inputs, ...this.#hidden], outputs: [...ranges.outputs, ...this.#scratch] };
  }

  dispose(): void {
    this.native.dispose();
    for (const range of [...this.#own, ...this.#scratch]) range?.buffer.dispose();
  }
}

/** Null for the error of a graph that DirectML does not take. */
function nullIfRefused(error: unknown): null {
  if (error instanceof Error && textOf(error, 'hresultName') === 'E_INVALIDARG') return null;
  throw error;
}

function newRange(device: NativeDevice, sizeInBytes: number): BufferRange {
  return { buffer: new DirectMLBufferHandle(device.createBuffer(sizeInBytes)), offset: 0, sizeInBytes };
}

/** Records the operator, which has no inputs and one output. */
async function compute(device: NativeDevice, operator: ResolvedOperator, range: BufferRange): Promise<void> {
  const native = await device.compileOperator(encodeOperator(operator.descriptor), 0);
  loadAddon().binding.dispatch(dispatchOf(native, { inputs: [], outputs: [range] }));
  native.dispose();
}

/** Records a copy of as many bytes as both have. */
export function copyRange(device: NativeDevice, from: BufferRange, to: BufferRange): void {
  device.copy(nativeOf(from.buffer), from.offset, nativeOf(to.buffer), to.offset, Math.min(from.sizeInBytes, to.sizeInBytes));
}

/** Nothing for the inputs that the user binds, and for hidden ones that each dispatch binds. */
function initializationInputs({ inputCount, hiddenInputs }: KeptInputs, memories: readonly ConstantMemory[]): NativeRanges {
  const owned = hiddenInputs.map(({ isOwned }, i) => (isOwned ? (memories[i]?.range ?? null) : null));
  return rowsOf([{ inputs: [...new Array<null>(inputCount).fill(null), ...owned], outputs: [] }]);
}

/** Disposes of buffers whose contents DirectML has taken over. They live until the GPU has read them. */
function disposeTaken(hidden: readonly HiddenInput[], memories: readonly ConstantMemory[]): void {
  for (const [i, { range, isOwn }] of memories.entries()) if (isOwn && hidden[i]?.isOwned === true) range.buffer.dispose();
}

function keptOf(hidden: readonly HiddenInput[], memories: readonly ConstantMemory[]): readonly (BufferRange | null)[] {
  return memories.map(({ range }, i) => (hidden[i]?.isOwned === true ? null : range));
}
