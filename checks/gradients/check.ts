/**
 * Compares the gradient of one operator with differences of its outputs. The descriptors are those of the conformance cases, with
 * all their parameters and layouts; the elements are drawn from where the operator is smooth.
 */
import { DirectMLError, type Device, type OperatorType, type TensorDesc } from 'node-directml';
import { base64, fromBase64, writeCase, type ConformanceCase, type WholeDescriptor } from '../cases/case.js';
import { isTensor, tensorSize } from '../cases/layout.js';
import { generators } from '../operators/cases.js';
import { Random } from '../harness/random.js';
import { drawProgram } from './random-programs.js';
import { indicesFor, isConstant, rangeOf } from './inputs.js';
import { isFloat, outputsOf, Program, type Drawn } from './program.js';

export interface GradientCase {
  readonly operator: OperatorType | 'programs';
  readonly seed: number;
  readonly number: number;
}

/** `unsuitable`: other data types, too large, or huge parameters. `kink`: differences of two distances disagree. */
export interface Outcome {
  readonly kind: 'passed' | 'failed' | 'unsuitable' | 'refused' | 'kink';
  readonly why: string;
}

const maxElements = 3000;
/** Half the larger distance of two points. The smaller one is half of it. */
const distance = 2 ** -7;
/** The slope of HLSL's polynomial for arc sines differs from the function's by up to such a part of it. */
const slopeErrors: Readonly<Record<string, number>> = { elementWiseAsin: 2.3e-3, elementWiseAcos: 2.3e-3 };

export async function checkGradient(device: Device, given: GradientCase | ConformanceCase, seed = 0): Promise<Outcome> {
  const drawn = 'descriptor' in given ? functionOf(given, Random.of('gradients', 'case', seed)) : drawCase(given);
  const error = slopeErrors['descriptor' in given ? given.descriptor.type : given.operator] ?? 0;
  return 'kind' in drawn ? drawn : attempt(device, drawn, (program) => compareWithDifferences(program, error));
}

/** With `ties`, elements are multiples of 1/4, of which many are equal. */
export function drawCase({ operator, seed, number }: GradientCase, ties = false): Drawn | Outcome {
  if (operator === 'programs') return drawProgram(seed, number);
  const random = Random.of('gradients', operator, seed, number);
  const { descriptor: whole, data, enlargedTo } = generators[operator](random, number);
  const descriptor = ties ? withTies(whole) : whole;
  const tensors = Object.values(descriptor).flat().filter(isTensor);
  const isTooLarge = tensors.some(({ sizes }) => sizes.reduce((product, size) => product * size, 1) > maxElements);
  if (enlargedTo !== undefined || isTooLarge) return { kind: 'unsuitable', why: 'too large' };
  if (tensors.some(({ dataType }) => dataType === 'float16' || dataType === 'float64')) {
    return { kind: 'unsuitable', why: 'other floats' };
  }
  if (tensors.some(({ dataType, strides }) => strides && dataType.endsWith('int4'))) {
    return { kind: 'unsuitable', why: 'no graph takes it' };
  }
  if (isUnfit(descriptor)) return { kind: 'unsuitable', why: 'no function of its elements alone' };
  if (!hasOrdinaryNumbers(descriptor)) return { kind: 'unsuitable', why: 'a parameter is huge or not finite' };
  const smoothed = withSmoothElements({ descriptor, data }, random, ties);
  const outputs = Object.entries(descriptor).filter(([name]) => !(name in data));
  const hasFloats = outputs.flatMap(([, value]: [string, unknown]) => value).some((each) => isTensor(each) && isFloat(each));
  const drawn = functionOf(smoothed, random);
  return hasFloats && drawn.inputs.some(({ desc }) => isFloat(desc)) ? drawn : { kind: 'unsuitable', why: 'no floats' };
}

/** The operator as a function of its inputs. */
export function functionOf(given: ConformanceCase, random: Random): Drawn {
  const { descriptor, data } = given;
  const inputs = Object.entries(descriptor).flatMap(([name, value]: [string, unknown]) => {
    const input = (path: string, desc: TensorDesc, text: string) => {
      return { name: path, desc, bytes: fromBase64(text), isConstant: isConstant(descriptor, path) };
    };
    const own = data[name];
    if (own === undefined) return [];
    if (typeof own === 'string') return [input(name, value as TensorDesc, own)];
    return (value as TensorDesc[]).map((desc, i) => input(`${name}[${i}]`, desc, own[i] ?? ''));
  });
  return { inputs, random, build: (graph, values) => outputsOf(graph, descriptor, values), text: `--case '${writeCase(given)}'` };
}

/** Checks the function. */
export async function attempt(device: Device, drawn: Drawn, check: (program: Program) => Promise<Outcome>): Promise<Outcome> {
  try {
    const program = Program.of(device, drawn);
    try {
      const { kind, why } = await check(program);
      return { kind, why: kind === 'failed' ? `${why}\n${drawn.text}` : why };
    } finally {
      await program.dispose();
    }
  } catch (error) {
    if (error instanceof DirectMLError && error.code === 'ERR_NO_GRADIENT') return { kind: 'refused', why: error.message };
    return { kind: 'failed', why: `${error instanceof Error ? error.message : String(error)}\n${drawn.text}` };
  }
}

function isUnfit(descriptor: WholeDescriptor): boolean {
  // Its second value is found by the stride, which the gradient's copy does not have.
  if (descriptor.type === 'oneHot') return Boolean(descriptor.valuesTensor.strides);
  if ('p' in descriptor) return descriptor.p > 8;
  // DirectML takes a single element for its variance, and fused activations make numbers of the NaN that this gives.
  if ('fusedActivation' in descriptor && descriptor.fusedActivation && hasSingleElements(descriptor)) return true;
  if (descriptor.type !== 'maxUnpooling') return false;
  const count = (desc: { readonly sizes?: readonly number[] | undefined } | undefined) =>
    (desc?.sizes ?? []).reduce((product, size) => product * size, 1);
  return count(descriptor.inputTensor) > count(descriptor.outputTensor);
}

/** True if means and variances are those of single elements. */
function hasSingleElements(descriptor: WholeDescriptor): boolean {
  if (!descriptor.type.startsWith('meanVarianceNormalization')) return false;
  const { inputTensor, axes, crossChannel } = descriptor as unknown as MeanVariance;
  return (axes ?? (crossChannel ? [1, 2, 3] : [2, 3])).every((axis) => inputTensor.sizes[axis] === 1);
}

interface MeanVariance {
  readonly inputTensor: TensorDesc;
  readonly axes?: readonly number[];
  readonly crossChannel?: boolean;
}

/** Limits and slopes become multiples of 1/4, too. */
function withTies<Descriptor extends object>(descriptor: Descriptor): Descriptor {
  const rounded = Object.entries(descriptor).map(([name, value]: [string, unknown]) => {
    const isRounded = typeof value === 'number' && ['min', 'max', 'threshold', 'alpha', 'beta'].includes(name);
    return [name, isRounded ? Math.round(value * 4) / 4 || value : value];
  });
  return Object.fromEntries(rounded) as Descriptor;
}

function hasOrdinaryNumbers(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(hasOrdinaryNumbers);
  return typeof value !== 'number' || Math.abs(value) < 1e6;
}

/** The case with other elements: floats from where the operator is smooth, and indices inside of what they index, packed. */
function withSmoothElements({ descriptor, data }: ConformanceCase, random: Random, ties: boolean): ConformanceCase {
  const redrawn = (name: string, desc: TensorDesc, text: string) => {
    if (isFloat(desc)) return { desc, text: base64(smooth(random, descriptor, name, tensorSize(desc), ties)) };
    const indices = indicesFor(descriptor, name, desc, random);
    return indices === null ? { desc, text } : { desc: { dataType: desc.dataType, sizes: desc.sizes }, text: base64(indices) };
  };
  const made: Record<string, { readonly desc: unknown; readonly text: string | readonly string[] }> = {};
  for (const [name, value] of Object.entries(descriptor) as [string, unknown][]) {
    const given = data[name];
    if (isTensor(value) && typeof given === 'string') made[name] = redrawn(name, value, given);
    else if (Array.isArray(value) && Array.isArray(given)) {
      const each = (value as TensorDesc[]).map((desc, i) => redrawn(`${name}[${i}]`, desc, String(given[i])));
      made[name] = { desc: each.map(({ desc }) => desc), text: each.map(({ text }) => text) };
    }
  }
  const of = (field: 'desc' | 'text') => Object.fromEntries(Object.entries(made).map(([name, each]) => [name, each[field]]));
  return { descriptor: { ...descriptor, ...of('desc') }, data: of('text') as ConformanceCase['data'] };
}

function smooth(random: Random, descriptor: object, name: string, size: number, ties: boolean): Uint8Array<ArrayBuffer> {
  const [low, high] = rangeOf(descriptor, name);
  const round = (element: number) => (ties ? Math.round(element * 4) / 4 : element);
  const elements = Float32Array.from({ length: size / 4 }, () => round(low + random.fraction() * (high - low)));
  return new Uint8Array(elements.buffer);
}

async function compareWithDifferences(program: Program, slopeError: number): Promise<Outcome> {
  const { slope, size } = await program.slope();
  const center = await program.valueAt(0);
  /** The slope between two points, and how much it changes in the middle. */
  const around = async (step: number) => {
    const [after, before] = [await program.valueAt(step), await program.valueAt(-step)];
    return { value: (after.value - before.value) / (2 * step), bend: (after.value + before.value - 2 * center.value) / step };
  };
  const [wide, narrow] = [await around(distance), await around(distance / 2)];
  const expected = (4 * narrow.value - wide.value) / 3;
  if (!Number.isFinite(expected)) return { kind: 'kink', why: 'the function is not finite' };
  if (center.size === 0 && size < 2 ** -24) return { kind: 'kink', why: 'DirectML rounds results that are so near to 0' };
  // The second part is what rounded outputs add.
  const tolerance = (2e-3 + slopeError) * (size + 1e-3 * center.size) + (2 ** -20 * center.size) / distance;
  if (Math.abs(expected - slope) <= tolerance) return { kind: 'passed', why: '' };
  if (Math.abs(wide.value - narrow.value) > tolerance / 8) return { kind: 'kink', why: 'differences disagree' };
  // A smooth function bends half as much in half the distance.
  if (Math.abs(narrow.bend - wide.bend / 2) > tolerance / 8) return { kind: 'kink', why: 'it bends at one point' };
  return { kind: 'failed', why: `gradient ${slope}, differences ${expected}, tolerance ${tolerance}` };
}
