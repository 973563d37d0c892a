/** What a function of arrays computes, eagerly, in a graph and in `jit`, beside what NumPy does. */
import { DirectMLError, type Device, type Tensor, type Value } from 'node-directml';
import * as np from 'node-directml/array';
import { tolerances as binary } from '../operators/element-wise-binary/cases.js';
import { tolerances as unary } from '../operators/element-wise-unary/cases.js';
import type { ArrayCase } from './cases.js';
import type { ArrayOf } from './draw.js';

/** What NumPy makes of a case. */
export type Answer = { readonly results: readonly ArrayOf[] } | { readonly error: string };

export interface Outcome {
  readonly kind: 'passed' | 'failed' | 'refused';
  readonly why: string;
}

type Call = (...args: readonly unknown[]) => unknown;
/** One or several arrays, maybe by name. */
type Made<T> = T | readonly T[] | Readonly<Record<string, T>>;

/** How it is called; its results must have the same bits. */
export const ways = { eagerly, 'in a graph': inGraph, 'in jit': inJit } as const;

/** Functions whose result has a size that depends on elements. */
const ofData: readonly string[] = ['nonzero', 'uniqueAll', 'uniqueCounts', 'uniqueInverse', 'uniqueValues'];
/** Functions that take a device first. */
const creators: readonly string[] = ['arange', 'eye', 'fft.fftfreq', 'fft.rfftfreq', 'full', 'linspace', 'ones', 'zeros'];

/** Compares one way with NumPy, and all others with it. */
export async function checkCase(device: Device, given: ArrayCase, answer: Answer, others = Object.keys(ways)): Promise<Outcome> {
  let first: readonly ArrayOf[];
  try {
    first = await eagerly(device, given);
  } catch (error) {
    return outcomeOf(given, answer, error);
  }
  if ('error' in answer) return failed(`NumPy refuses: ${answer.error}`);
  const difference = differenceBetween(given.name, first, answer.results);
  if (difference !== '') return failed(difference);
  for (const [how, run] of Object.entries(ways)) {
    if (run === eagerly || !others.includes(how) || creators.includes(given.name) || ofData.includes(given.name)) continue;
    // Nothing reads their input, which graphs refuse.
    if (run === inGraph && (given.name.endsWith('Like') || isPowerOf0(given))) continue;
    const other = JSON.stringify(await run(device, given), plain);
    if (other !== JSON.stringify(first, plain)) return failed(`${how} it is ${other}, eagerly ${JSON.stringify(first, plain)}`);
  }
  return { kind: 'passed', why: '' };
}

function isPowerOf0({ name, args }: ArrayCase): boolean {
  return name === 'linalg.matrixPower' && args[1] === 0;
}

/** Numbers that JSON does not have. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
    ? `${Object.is(value, -0) ? '-' : ''}${value}`
    : value;
}

function failed(why: string): Outcome {
  return { kind: 'failed', why };
}

/** Errors name the function as the program wrote it. What NumPy can, DirectML may not: other data types, no elements. */
function outcomeOf({ name }: ArrayCase, answer: Answer, error: unknown): Outcome {
  if (!(error instanceof DirectMLError)) throw error;
  const { message, code } = error;
  if (!message.startsWith(`${name.split('.').at(-1)}: `)) return failed(`an error that does not name the function: ${message}`);
  if ('error' in answer) return { kind: 'passed', why: '' };
  const isEmpty = answer.results.some(({ sizes }) => sizes.includes(0));
  const isLimit = code === 'ERR_DATA_TYPE' || isEmpty || answer.results.some(({ sizes }) => sizes.length > 8);
  return isLimit ? { kind: 'refused', why: message } : failed(message);
}

function differenceBetween(name: string, own: readonly ArrayOf[], expected: readonly ArrayOf[]): string {
  if (own.length !== expected.length) return `${own.length} results, NumPy ${expected.length}`;
  for (const [i, { dataType, sizes, data }] of expected.entries()) {
    const given = own[i] ?? { dataType: '', sizes: [], data: [] };
    if (given.dataType !== dataType) return `${given.dataType}, NumPy ${dataType}`;
    if (String(given.sizes) !== String(sizes)) return `sizes [${given.sizes.join()}], NumPy [${sizes.join()}]`;
    const largest = Math.max(1, ...data.map((each) => Math.abs(Number(each))).filter(Number.isFinite));
    const wrong = data.findIndex((each, place) => !isNear(given.data[place], each, toleranceOf(name, dataType), largest));
    if (wrong >= 0) return `element ${wrong}: ${given.data[wrong]}, NumPy ${data[wrong]}`;
  }
  return '';
}

/** Relative to the largest element of the result, because elements may be differences of large numbers. */
const relative: Readonly<Record<string, number>> = { float16: 2 ** -9, float32: 2e-6, float64: 1e-12 };

/** DirectML is less exact in these; `npm run conformance -- --tolerances` says why. In ULP of numbers from 1 to 2. */
const lessExact: Readonly<Record<string, number>> = {
  sin: unary.elementWiseSin.ulp,
  cos: unary.elementWiseCos.ulp,
  asin: unary.elementWiseAsin.ulp,
  acos: unary.elementWiseAcos.ulp,
  atan: unary.elementWiseAtan.ulp,
  atan2: binary.elementWiseAtanYx.ulp,
};

/** 0 for integers. */
function toleranceOf(name: string, dataType: string): number {
  return Math.max(relative[dataType] ?? 0, dataType === 'float32' ? (lessExact[name] ?? 0) * 2 ** -23 : 0);
}

function isNear(own: number | bigint | undefined, expected: number | bigint, tolerance: number, largest: number): boolean {
  if (own === undefined) return false;
  if (tolerance === 0) return BigInt(own) === BigInt(expected);
  if (Object.is(Number(own), Number(expected)) || Number(own) === Number(expected)) return true;
  return Math.abs(Number(own) - Number(expected)) <= tolerance * largest;
}

function eagerly(device: Device, { name, args }: ArrayCase): Promise<readonly ArrayOf[]> {
  const tensors = mapArrays(args, (given) => tensorOf(device, given));
  return read(functionOf(name)(...(creators.includes(name) ? [device] : []), ...tensors));
}

async function inGraph(device: Device, { name, args }: ArrayCase): Promise<readonly ArrayOf[]> {
  const graph = device.createGraph();
  const inputs: Record<string, Tensor> = {};
  const values = mapArrays(args, (given) => {
    const tensor = tensorOf(device, given);
    const input = `x${Object.keys(inputs).length}`;
    inputs[input] = tensor;
    return graph.input(input, { dataType: given.dataType, sizes: given.sizes });
  });
  const made = functionOf(name)(...values) as Made<Value>;
  const outputs = Object.fromEntries(listOf(made).map((value, i) => [`y${i}`, value]));
  const net = await graph.compile(outputs);
  const used = Object.fromEntries(
    Object.keys(net.inputs).flatMap((input) => (inputs[input] === undefined ? [] : [[input, inputs[input]]])),
  );
  const results = await net.run(used);
  const arrays = await read(Object.keys(outputs).map((output) => results[output]));
  net.dispose();
  return arrays;
}

async function inJit(device: Device, { name, args }: ArrayCase): Promise<readonly ArrayOf[]> {
  const tensors: Tensor[] = [];
  mapArrays(args, (given) => tensors.push(tensorOf(device, given)));
  const program = device.jit((...values: readonly Value[]) => {
    let place = 0;
    return functionOf(name)(...mapArrays(args, () => values[place++])) as Value;
  });
  const arrays = await read(program(...tensors));
  program.dispose();
  return arrays;
}

function tensorOf(device: Device, { dataType, sizes, data }: ArrayOf): Tensor {
  return device.tensor(data as readonly number[], { dataType, sizes });
}

function functionOf(name: string): Call {
  const found = name.split('.').reduce<unknown>((own, part) => Reflect.get(Object(own) as object, part), np);
  if (typeof found !== 'function') throw new Error(`no function ${name}`);
  return found as Call;
}

/** The arguments with something else for each array. */
function mapArrays(given: readonly unknown[], map: (array: ArrayOf) => unknown): readonly unknown[] {
  const walk = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(walk);
    return typeof each === 'object' && each !== null && 'data' in each ? map(each as ArrayOf) : each;
  };
  return given.map(walk);
}

function listOf<T>(made: Made<T>): readonly T[] {
  if (Array.isArray(made)) return made as readonly T[];
  return made instanceof Object && Object.getPrototypeOf(made) === Object.prototype ? Object.values(made) : [made as T];
}

async function read(made: unknown): Promise<readonly ArrayOf[]> {
  const tensors = listOf((await made) as Made<Tensor>);
  return Promise.all(
    tensors.map(async (tensor) => {
      const nested: readonly unknown[] = await tensor.toArray();
      return { dataType: tensor.dataType, sizes: tensor.sizes, data: nested.flat(Infinity) as (number | bigint)[] };
    }),
  );
}
