/** Initial weights from keys, by PyTorch's names. Sizes are `[outputs, inputs, ...]`, as those of weights. */
import { define } from '../array/define.js';
import { multiply } from '../array/elements.js';
import { normal, uniform } from '../array/random.js';
import { sizesOf } from '../array/sizes.js';
import type { Input, Output } from '../functions/types.js';
import type { Value } from '../graph/value.js';
import { productOf } from '../tensors/tensor-size.js';
import { argumentError, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';

type Initializer<Options = unknown> = <K extends Input<'uint32'>>(
  key: K,
  sizes: readonly number[],
  options?: Options & {
    /** The factor of all numbers. Default: 1; of the functions for rectifiers, √2. */
    readonly gain?: number | undefined;
  },
) => Output<[K], 'float32'>;

/** Options for rectifiers. */
export interface KaimingOptions {
  /** Whether the inputs or the outputs of a weight are counted. Default: `'fanIn'`. */
  readonly mode?: 'fanIn' | 'fanOut' | undefined;
}

type Options = ReadonlyMap<string, unknown>;
interface Fans {
  readonly fanIn: number;
  readonly fanOut: number;
}

const mean = ({ fanIn, fanOut }: Fans) => (fanIn + fanOut) / 2;
/** Uniform, of equal variance for inputs and outputs: Glorot's. */
export const xavierUniform = initializer('xavierUniform', uniformly, [], 1, mean) as Initializer;
/** Normal, of equal variance for inputs and outputs. */
export const xavierNormal = initializer('xavierNormal', normally, [], 1, mean) as Initializer;
/** Uniform, for layers before a rectifier: He's. */
export const kaimingUniform = initializer('kaimingUniform', uniformly, ['mode'], Math.SQRT2, one) as Initializer<KaimingOptions>;
/** Normal, for layers before a rectifier. */
export const kaimingNormal = initializer('kaimingNormal', normally, ['mode'], Math.SQRT2, one) as Initializer<KaimingOptions>;

function one(fans: Fans, method: string, options: Options): number {
  const mode = options.get('mode') ?? 'fanIn';
  if (mode === 'fanIn' || mode === 'fanOut') return fans[mode];
  throw argumentError(method, 'mode', "'fanIn' or 'fanOut'", mode);
}

/** Numbers with the standard deviation `gain / √count`. */
function initializer(
  name: string,
  draw: (key: Value<'uint32'>, sizes: readonly number[], deviation: number) => Value,
  more: readonly string[],
  usualGain: number,
  countOf: (fans: Fans, method: string, options: Options) => number,
) {
  return define(name, (key: unknown, sizes: unknown, options: unknown) => {
    const read = readOptions<string>(name, options, ['gain', ...more]);
    const gain = read.get('gain') ?? usualGain;
    if (typeof gain !== 'number' || !(gain > 0)) throw argumentError(name, 'gain', 'a number above 0', gain);
    const wanted = sizesOf(name, sizes);
    const [outputs = 1, inputs = 1, ...window] = wanted;
    if (wanted.length < 2) {
      throw fieldError('ERR_DIMENSION_COUNT', { operator: name, field: 'sizes' }, 'outputs, inputs and more', list(wanted));
    }
    const fans = { fanIn: inputs * productOf(window), fanOut: outputs * productOf(window) };
    return draw(key as Value<'uint32'>, wanted, gain / Math.sqrt(countOf(fans, name, read)));
  });
}

function uniformly(key: Value<'uint32'>, sizes: readonly number[], deviation: number): Value {
  const bound = Math.sqrt(3) * deviation;
  return uniform(key, sizes, { low: -bound, high: bound });
}

function normally(key: Value<'uint32'>, sizes: readonly number[], deviation: number): Value {
  return multiply(normal(key, sizes), deviation);
}
