/** Makes the inputs of a model: from files, or of random numbers with the sizes that are given. */
import { shorten } from '../../values/given.js';
import { productOf } from '../../tensors/tensor-size.js';
import { UsageError, type Arguments } from '../command.js';
import { nearOrAll } from '../near-or-all.js';
import { isArrayType, randomArray, readArray, type ArrayType, type ModelArray } from './model-arrays.js';

export interface Feed extends ModelArray {
  /** The file; null for random numbers. */
  readonly file: string | null;
}

export interface Feeds {
  readonly feeds: ReadonlyMap<string, Feed>;
  /** The sizes of the dynamic dimensions, by name. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The dynamic dimensions whose size is 1 because none was given. */
  readonly assumed: readonly string[];
}

/** An input as the model describes it. Sequences and maps have no `type`. */
interface ModelInput {
  readonly name: string;
  readonly dims: readonly (number | string | null)[] | undefined;
  readonly type: string | undefined;
}

interface Input {
  readonly name: string;
  readonly type: ArrayType;
  /** A size, or the name of a dynamic dimension. */
  readonly dims: readonly (number | string)[];
}

/** The most elements of a random input. */
const mostElements = 2 ** 28;

/** @throws {UsageError} for names that the model lacks, and sizes that contradict a file; and the errors of `readArray`. */
export async function makeFeeds(values: readonly ModelInput[], given: Arguments): Promise<Feeds> {
  const files = pairsOf(given, 'input', 'x=x.npy');
  const sizes = sizesOf(given);
  const names = values.map(({ name }) => name);
  for (const name of files.keys()) requireName('input', name, names);
  const inputs = values.map((value) => readInput(value, files.has(value.name)));
  const dynamic = inputs.flatMap(({ dims }) => dims.filter((dim) => typeof dim === 'string'));
  for (const name of sizes.keys()) requireName('size', name, dynamic);
  const arrays = new Map<string, Feed>();
  for (const { name, type, dims } of inputs) {
    const file = files.get(name);
    if (file === undefined) continue;
    const array = await readArray(file, type);
    if (array.dims.length === dims.length) takeSizes(sizes, dims, array.dims, file);
    arrays.set(name, { ...array, file });
  }
  const assumed = dynamic.filter((name) => !sizes.has(name));
  for (const name of assumed) sizes.set(name, 1);
  const next = randomNumbers(given.numberOf('seed', 0, 1));
  const feeds = inputs.map(({ name, type, dims }): [string, Feed] => {
    const array = arrays.get(name);
    if (array !== undefined) return [name, array];
    const known = dims.map((dim) => (typeof dim === 'string' ? (sizes.get(dim) ?? 1) : dim));
    const count = productOf(known);
    if (count > mostElements) throw new UsageError(`input '${shorten(name)}' would have ${count} elements`);
    return [name, { ...randomArray(type, known, next), file: null }];
  });
  return { feeds: new Map(feeds), sizes: Object.fromEntries(sizes), assumed: [...new Set(assumed)] };
}

function readInput({ name, dims, type = 'a sequence or map' }: ModelInput, hasFile: boolean): Input {
  const input = `input '${shorten(name)}'`;
  if (!isArrayType(type)) throw new UsageError(`${input} is ${type}, which .npy files do not have`);
  if (!hasFile && (dims === undefined || dims.includes(0)))
    throw new UsageError(`${input} has ${dims === undefined ? 'unknown dimensions' : 'no elements'}: give it with --input`);
  return { name, type, dims: (dims ?? []).map((dim, axis) => dim ?? `${name}[${axis}]`) };
}

/** The sizes of an array are those of its dynamic dimensions. */
function takeSizes(sizes: Map<string, number>, dims: Input['dims'], given: readonly number[], file: string): void {
  for (const [axis, dim] of dims.entries()) {
    const size = given[axis] ?? 0;
    if (typeof dim !== 'string') continue;
    const known = sizes.get(dim);
    if (known !== undefined && known !== size)
      throw new UsageError(`'${shorten(dim)}' is ${size} in ${file}, and ${known} in another input or in --size`);
    sizes.set(dim, size);
  }
}

function sizesOf(given: Arguments): Map<string, number> {
  const entries = [...pairsOf(given, 'size', 'batch=4')].map(([name, text]): [string, number] => {
    const size = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(size) && size > 0) return [name, size];
    throw new UsageError(`--size ${shorten(name)} is a whole number of at least 1, not '${shorten(text)}'`);
  });
  return new Map(entries);
}

/** The values of an option of the form `name=value`. */
function pairsOf(given: Arguments, option: string, example: string): Map<string, string> {
  const pairs = given.valuesOf(option).map((text): [string, string] => {
    const end = text.indexOf('=');
    if (end > 0 && end < text.length - 1) return [text.slice(0, end), text.slice(end + 1)];
    throw new UsageError(`--${option} needs a name and a value, such as ${example}, not '${shorten(text)}'`);
  });
  return new Map(pairs);
}

function requireName(option: string, name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const what = option === 'input' ? 'input' : 'dynamic dimension';
  throw new UsageError(`the model has no ${what} '${shorten(name)}' (${nearOrAll(name, names)})`);
}

/** Numbers from 0 (included) to 1 (not included): the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
