/** Runs the work of a file on a device. */
import { Tensor, type CompiledGraph, type CompiledOperator, type DataType, type Device } from '../../index.js';
import { shorten } from '../../values/given.js';
import { UsageError } from '../command.js';
import { nearOrAll } from '../near-or-all.js';
import { readElements } from '../elements.js';
import { createTensors, type Tensors } from './create-tensors.js';
import type { RunFile } from './run-file.js';
import { medianOf } from './where.js';

/** An output with its elements in memory order. */
export interface Output {
  /** As in errors: `outputTensor`, `outputTensors[0]`. */
  readonly name: string;
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly strides: readonly number[] | null;
  readonly elements: readonly (number | bigint)[];
}

/** In milliseconds. */
export interface Times {
  readonly compile: number;
  /** Of the first dispatch, until its outputs are there. */
  readonly first: number;
  /** Of `count` further dispatches. */
  readonly median: number;
  readonly least: number;
  readonly count: number;
  /** Median of the time in which the GPU worked on one of them; null without a GPU's clock, as on the reference backend. */
  readonly gpu: number | null;
}

export interface Executed {
  readonly outputs: readonly Output[];
  readonly times: Times | null;
}

interface ExecuteOptions {
  readonly isTimed: boolean;
  readonly checksIndices: boolean;
}

export async function execute(device: Device, file: RunFile, options: ExecuteOptions): Promise<Executed> {
  const began = performance.now();
  const { work, bindings, outputs } = await compile(device, file);
  const compiled = performance.now();
  const all = { ...bindings, ...outputs };
  if (options.checksIndices) await work.dispatchChecked(all);
  else work.dispatch(all);
  await device.idle();
  const first = performance.now() - compiled;
  const read = await Promise.all(named(outputs).map(([name, tensor]) => readOutput(name, tensor)));
  const again = options.isTimed ? await repeat(device, () => work.dispatch(all)) : null;
  return { outputs: read, times: again === null ? null : { compile: compiled - began, first, ...again } };
}

interface Work {
  readonly work: CompiledOperator | CompiledGraph;
  readonly bindings: Tensors;
  readonly outputs: Tensors;
}

async function compile(device: Device, { work, tensors }: RunFile): Promise<Work> {
  if (work.kind === 'graph') {
    const { graph } = work;
    const constants = Object.keys(graph.constants ?? {});
    requireNames(tensors.keys(), [...Object.keys(graph.inputs ?? {}), ...constants]);
    const made = createTensors(device, tensors, (name) => graph.inputs?.[name] ?? graph.constants?.[name]);
    const compiled = await device.compileGraph(graph, { constants: singles(pick(made, (name) => constants.includes(name))) });
    const bindings = pick(made, (name) => !constants.includes(name));
    return { work: compiled, bindings, outputs: compiled.createOutputs() };
  }
  const fields: Readonly<Record<string, unknown>> = { ...work.descriptor };
  const made = createTensors(device, tensors, (name) => fields[name]);
  const isOwned = (name: string) => hasFlag(fields[name]);
  const initializationInputs = pick(made, isOwned);
  const compiled = await device.compile(work.descriptor, { initializationInputs });
  return { work: compiled, bindings: pick(made, (name) => !isOwned(name)), outputs: compiled.createOutputs() };
}

/** @throws {UsageError} for a tensor that the graph does not have. An error about it would speak of the graph's outputs, too. */
function requireNames(given: Iterable<string>, names: readonly string[]): void {
  for (const name of given) {
    if (names.includes(name)) continue;
    throw new UsageError(`tensors.${shorten(name)} is no input or constant of the graph (${nearOrAll(name, names)})`);
  }
}

async function readOutput(name: string, tensor: Tensor): Promise<Output> {
  const { dataType, sizes, strides } = tensor;
  return { name, dataType, sizes, strides, elements: await readElements(tensor) };
}

/** The most time in milliseconds, and the most and the fewest dispatches, that are measured. */
const limit = 1000;
const [mostRepeats, fewestRepeats] = [100, 3];

async function repeat(device: Device, dispatch: () => void): Promise<Omit<Times, 'compile' | 'first'>> {
  const times: number[] = [];
  const gpuTimes: number[] = [];
  const began = performance.now();
  while (times.length < fewestRepeats || (times.length < mostRepeats && performance.now() - began < limit)) {
    const { wallMs, gpuMs } = await device.profile(dispatch);
    times.push(wallMs);
    if (gpuMs !== null) gpuTimes.push(gpuMs);
  }
  const gpu = gpuTimes.length === 0 ? null : medianOf(gpuTimes);
  return { median: medianOf(times), least: Math.min(...times), count: times.length, gpu };
}

function named(tensors: Tensors): [string, Tensor][] {
  return Object.entries(tensors).flatMap(([name, value]) =>
    value instanceof Tensor
      ? [[name, value] as [string, Tensor]]
      : value.map((tensor, i): [string, Tensor] => [`${name}[${i}]`, tensor]),
  );
}

/** A constant of a graph is one tensor. */
function singles(tensors: Tensors): Readonly<Record<string, Tensor>> {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, value]) => {
      if (value instanceof Tensor) return [name, value];
      throw new UsageError(`tensors.${name} is a list, and the constant of a graph is one tensor`);
    }),
  );
}

function pick(tensors: Tensors, isWanted: (name: string) => boolean): Tensors {
  return Object.fromEntries(Object.entries(tensors).filter(([name]) => isWanted(name)));
}

/** True if DirectML is to own the tensor, or the tensors. */
function hasFlag(desc: unknown): boolean {
  if (Array.isArray(desc)) return desc.length > 0 && desc.every(hasFlag);
  return typeof desc === 'object' && desc !== null && 'flags' in desc && desc.flags === 'ownedByDml';
}
