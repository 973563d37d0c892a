/** Draws feeds and fetches of sessions that a program should not give, and what it does to them after the call. */
import type { InferenceSession } from 'node-directml/onnxruntime';
import { Tensor } from 'node-directml/onnxruntime';
import { growable, resizable, resize } from '../malformed/values.js';
import type { Random } from '../harness/random.js';

interface OddArguments {
  readonly feeds: InferenceSession.FeedsType;
  readonly fetches: InferenceSession.FetchesType | undefined;
  /** Called when the run has been called. */
  readonly afterwards: () => void;
}

type Feeds = Readonly<Record<string, Tensor>>;
type Numbers = Float32Array | BigInt64Array;

/** Stands in the place of a feed or fetch. */
interface Odd {
  readonly value: unknown;
  readonly afterwards?: () => void;
}

const nothing = () => undefined;

const odds: readonly ((tensor: Tensor, random: Random) => Odd)[] = [
  (tensor, random) => inBuffer(tensor, resizable(bytesOf(tensor), 2 * bytesOf(tensor)), random),
  (tensor, random) => inBuffer(tensor, growable(bytesOf(tensor), 2 * bytesOf(tensor)), random),
  (tensor, random) => inBuffer(tensor, new ArrayBuffer(bytesOf(tensor)), random),
  (tensor, random) => changing(copyOf(tensor), (copy) => copy.dispose(), random),
  (tensor, random) => ({ value: { ...plain(tensor), [anyName(random)]: anyValue(random) } }),
  (tensor, random) => ({ value: Object.defineProperty(plain(tensor), anyName(random), { get: throwing, enumerable: true }) }),
  (tensor, random) => ({ value: Object.defineProperty(plain(tensor), anyName(random), { get: flipping(random) }) }),
  (tensor) => ({ value: Object.assign(copyOf(tensor), { getData: () => new Promise(nothing) }) }),
  (tensor) => ({ value: new Proxy(plain(tensor), {}) }),
  (tensor) => ({ value: { ...plain(tensor), data: new Proxy(tensor.data, {}) } }),
  (tensor, random) => {
    const { proxy, revoke } = Proxy.revocable(plain(tensor), {});
    return changing(proxy, revoke, random);
  },
  (tensor) => ({ value: tensor.reshape([tensor.size]) }),
  (tensor) => ({ value: new Tensor('float64', new Float64Array(tensor.size), tensor.dims) }),
  (_, random) => ({ value: anyValue(random) }),
];

/** One of the feeds is odd, or an output is. */
export function oddArguments(random: Random, feeds: Feeds, outputSizes: readonly number[]): OddArguments {
  if (random.chance(0.3)) {
    const output = new Tensor('float32', new Float32Array(outputSizes.reduce((a, b) => a * b, 1)), outputSizes);
    const { value, afterwards = nothing } = random.pick(odds)(output, random);
    const fetches: unknown = random.pick([{ y: value }, { y: value, z: null }, ['y', value], value]);
    return { feeds, fetches: fetches as InferenceSession.FetchesType, afterwards };
  }
  const name = random.pick(Object.keys(feeds));
  const tensor = feeds[name];
  if (tensor === undefined) return { feeds, fetches: undefined, afterwards: nothing };
  const { value, afterwards = nothing } = random.pick(odds)(tensor, random);
  const given = random.chance(0.9) ? { ...feeds, [name]: value } : value;
  return { feeds: given as InferenceSession.FeedsType, fetches: undefined, afterwards };
}

function plain({ type, dims, data }: Tensor): object {
  return { type, dims, data, location: 'cpu' };
}

function copyOf({ type, dims, data }: Tensor): Tensor {
  return new Tensor(type as 'float32', (data as Float32Array).slice(), dims);
}

function bytesOf({ data }: Tensor): number {
  return (data as Numbers).byteLength;
}

/** Changes it before or after the call. */
function changing<T>(value: T, change: (value: T) => void, random: Random): Odd {
  if (random.chance(0.5)) return { value, afterwards: () => change(value) };
  change(value);
  return { value };
}

function inBuffer({ type, dims, data }: Tensor, buffer: ArrayBuffer | SharedArrayBuffer, random: Random): Odd {
  const { buffer: memory, byteOffset, byteLength } = data as Numbers;
  new Uint8Array(buffer).set(new Uint8Array(memory, byteOffset, byteLength));
  const array = type === 'int64' ? new BigInt64Array(buffer) : new Float32Array(buffer);
  const tensor: unknown = Reflect.construct(Tensor, [type, array, dims]);
  return changing(
    tensor,
    () => {
      const longest = 2 * array.byteLength;
      if (buffer instanceof SharedArrayBuffer) resize(buffer, longest);
      else if (Reflect.get(buffer, 'resizable') === true && random.chance(0.7)) resize(buffer, random.pick([0, 4, longest]));
      else structuredClone(buffer, { transfer: [buffer] });
    },
    random,
  );
}

function anyName(random: Random): string {
  return random.pick(['type', 'dims', 'data', 'location', 'mlTensor']);
}

function anyValue(random: Random): unknown {
  if (random.chance(0.1)) return undefined;
  return random.pick<unknown>([
    null,
    0,
    NaN,
    '',
    'cpu',
    'ml-tensor',
    'none',
    [],
    {},
    [-1],
    [2 ** 40],
    new Float32Array(1),
    nothing,
  ]);
}

function throwing(): never {
  throw new Error('a getter of the program');
}

/** Gives something else each time. */
function flipping(random: Random): () => unknown {
  return () => anyValue(random);
}
