/** Random programs of 10 to 40 operators, with views between them. */
import type { Value } from 'node-directml';
import * as op from 'node-directml/operators';
import { writeJson } from '../cases/case.js';
import { Random } from '../harness/random.js';
import type { Drawn, Input } from './program.js';

type Floats = Value<'float32'>;

/** All tensors have 24 elements, so each can take the sizes of any other. */
const shapes: readonly (readonly number[])[] = [
  [24],
  [4, 6],
  [6, 4],
  [2, 12],
  [2, 3, 4],
  [1, 2, 3, 4],
  [4, 2, 3],
  [3, 1, 8],
  [2, 2, 2, 3],
];
const names = ['a', 'b', 'c', 'd'];

export function drawProgram(seed: number, number: number): Drawn {
  const random = Random.of('gradients of programs', seed, number);
  const inputs: readonly Input[] = names.map((name) => {
    const elements = Float32Array.from({ length: 24 }, () => random.fraction() * 3 - 1.5);
    return { name, desc: { dataType: 'float32', sizes: random.pick(shapes) }, bytes: new Uint8Array(elements.buffer) };
  });
  const rows = {
    name: 'rows',
    desc: { dataType: 'uint32', sizes: [4] },
    bytes: bytesOf([1, 3, 0, 2].map(() => random.int(0, 3))),
  } as const;
  const build: Drawn['build'] = (_, values) => new Writer(Random.of('steps of programs', seed, number), values).write();
  return { inputs: [...inputs, rows], build, random, text: writeJson({ seed, number }) };
}

/** Adds the same operators each time. */
class Writer {
  readonly #random: Random;
  readonly #values: Floats[];
  readonly #rows: Value<'uint32'>;
  #count = 0;

  constructor(random: Random, values: Readonly<Record<string, Value>>) {
    this.#random = random;
    this.#values = names.map((name) => values[name] as Floats);
    this.#rows = values['rows'] as Value<'uint32'>;
  }

  /** The last values. */
  write(): readonly Floats[] {
    const [a, b, c, d] = this.#values as [Floats, Floats, Floats, Floats];
    this.#values.push(this.#did(op.elementWiseAdd(a, b.reshape(a.sizes))));
    this.#values.push(this.#did(op.elementWiseMultiply(c, d.reshape(c.sizes))), this.#gathered());
    const wanted = this.#random.int(10, 37);
    while (this.#count < wanted) this.#values.push(this.#step());
    return this.#values.slice(-3);
  }

  #step(): Floats {
    const steps = [
      ...[this.#alone, this.#alone, this.#pair, this.#pair, this.#turned, this.#parts, this.#share, this.#attention],
      ...[this.#along, this.#image, this.#chosen, this.#gathered],
    ];
    return this.#random.pick(steps).call(this);
  }

  /** Counts an operator. */
  #did<T>(value: T): T {
    this.#count++;
    return value;
  }

  /** One of the values, most often one of the last, in its own sizes or in those given. */
  #any(sizes?: readonly number[]): Floats {
    const values = this.#random.chance(0.6) ? this.#values.slice(-3) : this.#values;
    const value = this.#random.pick(values);
    if (sizes === undefined) return value;
    return (value.strides === null ? value : this.#did(op.elementWiseIdentity(value))).reshape(sizes);
  }

  /** Keeps numbers from growing. */
  #smaller(value: Floats, scale = 0.3): Floats {
    return this.#did(op.elementWiseIdentity(value, { scaleBias: { scale, bias: 0.1 } }));
  }

  #alone(x: Floats = this.#any()): Floats {
    const { int, fraction } = { int: this.#random.int(0, 15), fraction: this.#random.fraction() };
    const made = [
      () => op.activationTanh(x),
      () => op.activationSigmoid(x),
      () => op.activationGelu(x),
      () => op.activationRelu(x),
      () => op.activationLeakyRelu(x, { alpha: fraction }),
      () => op.activationElu(x, { alpha: fraction }),
      () => op.activationSoftplus(x, { steepness: 1 + fraction }),
      () => op.activationSwish(x, { sigmoidInputScale: fraction }),
      () => op.activationHardSigmoid(x, { alpha: 0.4, beta: fraction }),
      () => op.elementWiseSin(x, { scaleBias: { scale: 1 + fraction, bias: 0.2 } }),
      () => op.elementWiseCos(x),
      () => op.elementWiseErf(x),
      () => op.elementWiseAtan(x),
      () => op.elementWiseAbs(x),
      () => op.elementWiseClip(x, { min: -fraction, max: 0.7 }),
      () => op.activationSoftsign(x),
    ][int];
    return this.#did(made?.() ?? x);
  }

  #pair(): Floats {
    const a = this.#any();
    const b = this.#any(a.sizes);
    const made = this.#random.pick([
      () => op.elementWiseAdd(a, b),
      () => op.elementWiseAdd1(a, b, { fusedActivation: { type: 'activationTanh' } }),
      () => op.elementWiseSubtract(a, b),
      () => this.#smaller(op.elementWiseMultiply(a, b)),
      () => op.elementWiseMax(a, b),
      () => op.elementWiseMin(a, b),
      () => op.elementWiseMean(a, b),
      () => op.elementWiseAtanYx(a, this.#did(op.elementWiseExp(b, { scaleBias: { scale: 0.2, bias: 0.5 } }))),
      () => op.elementWiseDivide(a, this.#did(op.elementWiseConstantPow(b, { exponent: 2, scaleBias: { scale: 0.5, bias: 2 } }))),
    ])();
    return this.#smaller(this.#did(made), 0.7);
  }

  /** Another order of dimensions, or other sizes. */
  #turned(): Floats {
    const value = this.#any(this.#random.pick(shapes));
    const order = this.#random.distinct(value.sizes.length, value.sizes.length);
    return this.#alone(value.transpose(order));
  }

  /** Two parts along an axis change places, or all elements come backwards. */
  #parts(): Floats {
    const value = this.#any();
    const axis = value.sizes.findIndex((size) => size > 1);
    const size = value.sizes[axis] ?? 1;
    const [zeros, first] = [value.sizes.map(() => 0), this.#random.int(1, size - 1)];
    if (this.#random.chance(0.3)) {
      const inputWindowStrides = value.sizes.map((_, i) => (i === axis ? -1 : 1));
      return this.#did(op.slice1(value, { inputWindowOffsets: zeros, inputWindowSizes: [...value.sizes], inputWindowStrides }));
    }
    const part = (start: number, length: number) =>
      this.#did(
        op.slice(value, { offsets: zeros.with(axis, start), sizes: value.sizes.with(axis, length), strides: zeros.map(() => 1) }),
      );
    return this.#did(op.join([part(first, size - first), part(0, first)], { axis }));
  }

  /** A reduction that is broadcast again. */
  #share(): Floats {
    const value = this.#any();
    const axes = this.#random.distinct(this.#random.int(1, value.sizes.length), value.sizes.length);
    const name = this.#random.pick(['sum', 'average', 'max', 'min', 'l2', 'logSumExp', 'sumSquare', 'l1'] as const);
    const share = this.#smaller(this.#did(op.reduce(value, { function: name, axes })) as Floats).broadcastTo(value.sizes);
    return this.#did(this.#random.chance(0.5) ? op.elementWiseSubtract(value, share) : op.elementWiseMultiply(value, share));
  }

  #attention(): Floats {
    const [query, key, value] = [this.#any([1, 1, 4, 6]), this.#any([1, 1, 6, 4]), this.#any([1, 1, 4, 6])];
    const turned = key.transpose([0, 1, 3, 2]);
    const isTurned = this.#random.chance(0.5);
    const scores = this.#did(
      isTurned ? op.gemm(query, turned, { transB: 'transpose', alpha: 0.4 }) : op.gemm(query, key, { alpha: 0.4 }),
    );
    const shares = this.#did(op.activationSoftmax1(scores, { axes: [3] }));
    const own = this.#did(op.gemm(shares, value, { transA: 'transpose', cTensor: query, beta: 0.3 }));
    return own.reshape([4, 6]);
  }

  #along(): Floats {
    const value = this.#any(
      this.#random.pick([
        [2, 3, 4],
        [4, 6],
        [1, 2, 3, 4],
      ]),
    );
    const axis = this.#random.int(0, value.sizes.length - 1);
    const made = this.#random.pick([
      () => op.activationSoftmax1(value, { axes: [axis] }),
      () => this.#smaller(op.activationLogSoftmax1(value, { axes: [axis] })),
      () => this.#smaller(op.cumulativeSummation(value, { axis, axisDirection: 'decreasing', hasExclusiveSum: true })),
      () => op.topK1(value, { axis, k: value.sizes[axis] ?? 1 }).outputValueTensor,
      () =>
        this.#smaller(
          op.meanVarianceNormalization1(value, { axes: [value.sizes.length - 1], normalizeVariance: true, epsilon: 0.1 }),
        ),
      () => this.#smaller(op.lpNormalization(value.reshape([1, 4, 6]), { axis: 2, epsilon: 0.1 })).reshape(value.sizes),
    ])();
    return this.#did(made);
  }

  #image(): Floats {
    const image = this.#any([1, 2, 3, 4]);
    const pool = { strides: [1, 1], windowSize: [3, 3], startPadding: [1, 1], endPadding: [1, 1] };
    const made = this.#random.pick([
      () => {
        const fields = { startPadding: [1, 1], endPadding: [0, 1], fusedActivation: { type: 'activationSigmoid' } as const };
        return op.convolution(image, this.#any([2, 2, 2, 3]), fields);
      },
      () => op.averagePooling(image, { ...pool, includePadding: this.#random.chance(0.5) }),
      () => op.maxPooling2(image, pool).outputTensor,
      () => this.#smaller(op.localResponseNormalization(image, { localSize: 1, alpha: 0.5 })),
    ])();
    return this.#did(made);
  }

  #chosen(): Floats {
    const a = this.#any();
    const [b, c] = [this.#any(a.sizes), this.#any(a.sizes)];
    return this.#did(op.elementWiseIf(this.#did(op.elementWiseLogicalGreaterThan(a, b)), b, c));
  }

  #gathered(): Floats {
    return this.#did(op.gather(this.#any([4, 6]), this.#rows.reshape([1, 4]), { axis: 0, indexDimensions: 1 }));
  }
}

function bytesOf(words: readonly number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Uint32Array.from(words).buffer);
}
