/** The gradients of functions of arrays against differences of what they compute. */
import { describe, expect, test } from 'vitest';
import type { Device, Tensor, Value } from 'node-directml';
import * as np from 'node-directml/array';
import { grad } from 'node-directml/gradients';
import { ownBackend, deviceOn } from '../support/devices.js';

type Floats = Value<'float32'>;
type Program = (x: Floats, y: Floats) => Value | readonly Value[];

/** Of two arrays with the sizes [2, 3], whose elements are positive and differ. */
const programs: Readonly<Record<string, Program>> = {
  add: (x, y) => np.add(x, y),
  divide: (x, y) => np.divide(x, y),
  pow: (x, y) => np.pow(x, y),
  atan2: (x, y) => np.atan2(x, y),
  remainder: (x, y) => np.remainder(np.multiply(x, 4.3), np.add(y, 3)),
  maximum: (x, y) => np.maximum(x, y),
  hypot: (x, y) => np.hypot(x, y),
  logaddexp: (x, y) => np.logaddexp(x, y),
  copysign: (x, y) => np.copysign(x, np.negative(y)),
  clip: (x, y) => np.clip(x, 0.5, np.add(y, 1)),
  expm1: (x) => np.expm1(x),
  log1p: (x) => np.log1p(x),
  asinh: (x) => np.asinh(x),
  atan: (x) => np.atan(x),
  where: (x, y) => np.where(np.less(x, y), x, y),
  std: (x) => np.std(x, { axis: 1 }),
  prod: (x) => np.prod(x, { axis: 0 }),
  norm: (x) => np.norm(x, { ord: 3, axis: 1 }),
  logsumexp: (x) => np.logsumexp(x, { axis: 0 }),
  cumulativeSum: (x) => np.cumulativeSum(x, { axis: 1, includeInitial: true }),
  cumulativeProd: (x) => np.cumulativeProd(x, { axis: 1 }),
  diff: (x) => np.diff(x, { n: 2 }),
  tril: (x) => np.tril(x),
  meshgrid: (x, y) => np.meshgrid([np.slice(x, 0), np.slice(y, 1)]),
  broadcastArrays: (x, y) => np.broadcastArrays(np.slice(x, 0), y),
  unstack: (x) => np.unstack(x, { axis: 1 }),
  roll: (x) => np.roll(x, 1, { axis: 1 }),
  tile: (x) => np.tile(x, [2, 2]),
  repeat: (x) => np.repeat(x, [1, 0, 2], { axis: 1 }),
  pad: (x) => np.pad(x, 1, { mode: 'reflect' }),
  setSlice: (x, y) => np.setSlice(x, np.slice(y, 0, [0, 2]), null, [null, null, -2]),
  slice: (x) => np.slice(x, '...', [null, null, -2]),
  take: (x) => np.take(x, np.argsort(x, { axis: 1 }), { axis: 1 }),
  takeAlongAxis: (x) => np.takeAlongAxis(x, np.argsort(x)),
  at: (x) => np.at(x, np.astype(np.greater(np.slice(x, null, [0, 1]), 1), 'int32')),
  sort: (x) => np.sort(x),
  topK: (x) => np.topK(x, 2).values,
  matmul: (x, y) => np.matmul(x, np.matrixTranspose(y)),
  vecdot: (x, y) => np.vecdot(x, y),
  tensordot: (x, y) => np.tensordot(x, y, { axes: [[0], [0]] }),
  outer: (x, y) => np.outer(np.slice(x, 0), np.slice(y, 1)),
  cross: (x, y) => np.cross(x, y),
  trace: (x) => np.trace(x, { offset: 1 }),
  einsum: (x, y) => np.einsum('ij,kj,ij->ki', x, y, y),
  atSet: (x, y) => np.atSet(x, rowOne(x, 1), np.slice(y, 0)),
  atAdd: (x, y) => np.atAdd(x, rowOne(x, 2), np.slice(y, 0)),
  det: (x, y) => np.linalg.det(squares(x, y)),
  slogdet: (x, y) => np.linalg.slogdet(squares(x, y)).logabsdet,
  inv: (x, y) => np.linalg.inv(squares(x, y)),
  solve: (x, y) => np.linalg.solve(squares(x, y), np.slice(x, '...', [0, 1])),
  cholesky: (x, y) => np.linalg.cholesky(np.matmul(squares(x, y), np.matrixTranspose(squares(x, y)))),
  matrixPower: (x, y) => np.linalg.matrixPower(squares(x, y), -2),
  matrixNorm: (x) => np.linalg.matrixNorm(x, { ord: 1 }),
  vectorNorm: (x) => np.linalg.vectorNorm(x, { ord: -2, axis: 1 }),
};

/** Two matrices `[2, 2, 2]`, which need other pivots than the first. */
function squares(x: Floats, y: Floats): Floats {
  return np.stack([np.slice(x, null, [0, 2]), np.slice(y, null, [1, 3])]);
}

/** Of row 1, so many times. */
function rowOne(x: Floats, times: number): Value<'int32'> {
  return np.onesLike(np.slice(x, [0, times], [0, 1]), { dataType: 'int32' });
}

/** The sum of the outputs with different weights. */
function loss(program: Program, x: Floats, y: Floats): Floats {
  const outputs = [program(x, y)].flat() as Floats[];
  const sums = outputs.map((output) => {
    const line = np.reshape(output, [-1]);
    return np.sum(np.multiply(line, np.add(np.cumulativeSum(np.onesLike(line)), 0.5)));
  });
  return sums.reduce((sum, each) => np.add(sum, each));
}

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(Object.entries(programs))('%s', async (_, program) => {
    const starts = [
      [0.3, 1.7, 0.9, 1.2, 0.6, 2.1],
      [0.8, 0.4, 1.5, 2.3, 1.1, 0.7],
    ];
    const directions = [
      [1, -2, 0.5, 1.5, -1, 0.25],
      [-0.5, 1, 2, -1.5, 0.75, 1],
    ];
    const at = (distance: number) =>
      starts.map((start, i) => start.map((each, place) => each + distance * (directions[i]?.[place] ?? 0)));
    const value = device().jit((x: Floats, y: Floats) => loss(program, x, y));
    const of = async (distance: number) => (await value(...tensors(device(), at(distance)))).item();
    const step = 2 ** -8;
    const slope = ((await of(step)) - (await of(-step))) / (2 * step);
    const gradients = device().jit((x: Floats, y: Floats) =>
      grad((both: readonly [Floats, Floats]) => loss(program, ...both))([x, y]),
    );
    const made = await gradients(...tensors(device(), at(0)));
    const own = await Promise.all(made.map(async (each) => [...(await each.read())]));
    const sum = own.flat().reduce((total, each, i) => total + each * (directions.flat()[i] ?? 0), 0);
    expect(Math.abs(sum - slope)).toBeLessThan(2e-2 * Math.max(1, Math.abs(slope)));
  });
});

function tensors(device: Device, numbers: readonly (readonly number[])[]): [Tensor<'float32'>, Tensor<'float32'>] {
  const of = (each: readonly number[] = []) => device.tensor(each, { sizes: [2, 3] });
  return [of(numbers[0]), of(numbers[1])];
}
