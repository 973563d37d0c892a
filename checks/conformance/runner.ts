/**
 * Runs cases on both backends, compares every output byte, and counts the coverage. An in-place case runs twice on each backend,
 * and must give the same bytes as with separate buffers.
 */
import type { Device, OperatorType } from 'node-directml';
import type { SuiteDevices as Devices } from '#lib/cli/conformance/suite.js';
import { isFloat } from '#lib/tensors/data-types.js';
import { count } from '../harness/report.js';
import { Random } from '../harness/random.js';
import { generators, fixedCases } from '../operators/cases.js';
import { writeCase, type ConformanceCase, type DataType } from '../cases/case.js';
import { compare, type Sides, type Tolerance, type Worst } from './compare.js';
import { enlarged } from './enlarge.js';
import { refusal, replacedShaderUses } from './exceptions.js';
import { inPlaceNowAndThen } from './in-place.js';
import { isTensor } from '../cases/layout.js';
import { runCase, runInPlace, type Output } from '../cases/run-case.js';
import { toleranceOf } from '../operators/tolerances.js';
import { elementsOf, numbersOf, withMagnitudes, withoutActivation, type Beside } from '../tolerance/elements.js';
import {
  EXACT,
  hasHost,
  isExact,
  magnitudesOf,
  mayFlush,
  needsMagnitudes,
  SAME_VALUE,
  type ToleranceRow,
} from '../tolerance/row.js';
import { withoutSubnormals } from './subnormals.js';
import { termsOf } from '../tolerance/terms.js';

export interface Failure {
  /** What failed: a comparison, or an exception by its text without numbers. A smaller case has to fail in the same part. */
  readonly part: string;
  readonly message: string;
  /** One line of JSON for `--case`. */
  readonly json: string;
  /** How many cases ran before it. */
  readonly index: number;
}

export type { Devices };

/** The result of an operator's cases. */
export type Report = ReturnType<typeof newReport>;

function newReport(operator: OperatorType) {
  return {
    operator,
    cases: 0,
    equal: 0,
    /** The number of cases without failure whose results were compared with neither DirectML's nor onnxruntime's. */
    uncompared: 0,
    /** The number of cases whose outputs overwrite inputs. */
    inPlace: 0,
    /** The cases among `inPlace` with very many elements. */
    enlarged: 0,
    /** The cases among `equal` that were computed by the sandbox's replacement of a DirectML shader. */
    replacedShader: 0,
    /** The number of cases that this Direct3D cannot run, by cause. */
    unsupported: new Map<string, number>(),
    /** The number of cases of these two kinds that onnxruntime's CPU provider confirms. */
    equalToOnnx: 0,
    /** The number of the others, by the reason why they have no ONNX counterpart. */
    withoutOnnx: new Map<string, number>(),
    failures: new Array<Failure>(),
    /** By data type, for outputs with a tolerance: the largest error, and the largest share of the allowed error. */
    worst: new Map<DataType, Worst & { readonly share: number }>(),
    /** The number of cases by data types, then by dimension count. */
    coverage: new Map<string, Map<string, number>>(),
  };
}

/** Cases of one operator, from a number on: the fixed ones, then random ones, each from its own random generator. */
export function* casesOf(operator: OperatorType, seed: number, count: number, from = 0): Generator<ConformanceCase> {
  const fixed = fixedCases[operator]?.() ?? [];
  yield* fixed.slice(from, from + count);
  for (let index = Math.max(from - fixed.length, 0); index < from + count - fixed.length; index++) {
    const test = generators[operator](Random.of(seed, operator, index), index);
    yield inPlaceNowAndThen(Random.of(seed, operator, index, 'in place'), test);
  }
}

export interface Options {
  /** Compares all cases that ONNX can express with onnxruntime's CPU provider, not only those that the sandbox cannot run. */
  readonly onnxruntime?: boolean;
  /** The side that is right where DirectML and the reference differ: DirectML, unless its driver is under test. */
  readonly expected?: Sides['expected'];
  readonly progress?: (report: Report) => void;
}

/** Runs the cases. With the same device for both, the reference is compared only with onnxruntime. */
export async function conform(
  devices: Devices,
  operator: OperatorType,
  cases: Iterable<ConformanceCase>,
  options: Options = {},
): Promise<Report> {
  const report = newReport(operator);
  let lost: string | undefined;
  void devices.directml.lost.then(({ message }) => (lost = message));
  for (const test of cases) {
    report.cases += 1;
    if (test.inPlace !== undefined) report.inPlace += 1;
    if (test.enlargedTo !== undefined) report.enlarged += 1;
    cover(report, test);
    const fail = (difference: Difference) =>
      report.failures.push({ ...difference, json: writeCase(test), index: report.cases - 1 });
    const difference = await check(devices, test, report, options);
    if (difference !== null) fail(difference);
    // Further results would be meaningless on a lost device.
    if (lost !== undefined) {
      fail({ part: 'lost', message: `the device was lost: ${lost}` });
      break;
    }
    options.progress?.(report);
  }
  return report;
}

type Difference = Pick<Failure, 'part' | 'message'>;

/** The first difference of a case; null if there is none. */
async function check(
  { directml, reference }: Devices,
  test: ConformanceCase,
  report: Report,
  { onnxruntime = false, expected: right = 'other' }: Options,
): Promise<Difference | null> {
  try {
    if (test.enlargedTo !== undefined) return await checkEnlarged(directml, enlarged(test, test.enlargedTo), report);
    const expected = await expectationOf(reference, test);
    const inPlace = await differenceInPlace(reference, test, expected);
    if (inPlace !== null) return inPlace;
    if (directml === reference) {
      if (onnxruntime) return await checkByOnnxruntime(test, expected, report, true);
      report.uncompared += 1;
      return null;
    }
    const usesBefore = replacedShaderUses();
    const actual = await runCase(directml, test).catch((error: unknown) => {
      const cause = refusal(test, error);
      if (cause === null) throw error;
      return cause;
    });
    if (typeof actual === 'string') {
      count(report.unsupported, actual);
      return await checkByOnnxruntime(test, expected, report, true);
    }
    const message = differenceFrom(expected, actual, { ...DIRECTML, expected: right }, report);
    if (message !== null) return { part: 'DirectML', message };
    const inPlaceToo = await differenceInPlace(directml, test, actual);
    if (inPlaceToo !== null) return inPlaceToo;
    report.equal += 1;
    const isReplaced = replacedShaderUses() > usesBefore;
    if (isReplaced) report.replacedShader += 1;
    return isReplaced || onnxruntime ? await checkByOnnxruntime(test, expected, report, false) : null;
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { part: String(error).replaceAll(/\d+/g, '0'), message };
  }
}

/** Compares only DirectML's two results of a large case, which shall reveal races and not wrong numbers. */
async function checkEnlarged(directml: Device, test: ConformanceCase, report: Report): Promise<Difference | null> {
  const usesBefore = replacedShaderUses();
  const difference = await differenceInPlace(directml, test, await runCase(directml, test));
  if (difference !== null) return difference;
  report.equal += 1;
  if (replacedShaderUses() > usesBefore) report.replacedShader += 1;
  return null;
}

/**
 * Compares the in-place outputs with those of separate buffers on the same device; null if the case is not in place. DirectML has
 * to give the same bits. JavaScript does not promise the same sign of a NaN in two runs of a function.
 */
async function differenceInPlace(device: Device, test: ConformanceCase, apart: readonly Output[]): Promise<Difference | null> {
  if (test.inPlace === undefined) return null;
  const elementOf = elementsOf(test, { dataType: 'uint8', sizes: [0] }, new Uint8Array(0), {});
  const row = device.info.backend === 'reference' ? SAME_VALUE : EXACT;
  const expected = apart.map((output) => ({ ...output, tolerance: { row, terms: 1, element: elementOf } }));
  const difference = differenceFrom(expected, await runInPlace(device, test), IN_PLACE);
  if (difference === null) return null;
  const pairs = Object.entries(test.inPlace).map(([output, inputs]) => `${output} over ${inputs.join(' and ')}`);
  return { part: 'in place', message: `in place on ${device.info.backend}, ${pairs.join(', ')}: ${difference}` };
}

/** `isOnly` is true if nothing else can check the case. */
async function checkByOnnxruntime(
  test: ConformanceCase,
  expected: readonly Expectation[],
  report: Report,
  isOnly: boolean,
): Promise<Difference | null> {
  // Loaded only if needed: few runs need it, and loading is slow.
  const { runInOnnxruntime } = await import('./onnxruntime/run.js');
  const actual = await runInOnnxruntime(test, expected);
  if (typeof actual === 'string') {
    count(report.withoutOnnx, actual);
    if (isOnly) report.uncompared += 1;
    return null;
  }
  const message = differenceFrom(expected, actual, ONNXRUNTIME, isOnly ? report : undefined);
  if (message !== null) return { part: 'onnxruntime', message };
  report.equalToOnnx += 1;
  return null;
}

/** The sides of each comparison. The real DirectML is always right, and so is onnxruntime. */
export const DIRECTML: Sides = { reference: 'the reference', other: 'DirectML', expected: 'other' };
const ONNXRUNTIME: Sides = { reference: 'the reference', other: "onnxruntime's CPU provider", expected: 'other' };
const IN_PLACE: Sides = { reference: 'separate buffers', other: 'the buffer of the input', expected: 'reference' };

/** An output of the reference, with its tolerance. */
interface Expectation extends Output {
  readonly tolerance: Tolerance;
}

export async function expectationOf(reference: Device, test: ConformanceCase): Promise<Expectation[]> {
  const outputs = await runCase(reference, test);
  const rows = outputs.map(({ name }) => toleranceOf(test, name));
  const terms = termsOf(test.descriptor);
  const besides = await besidesOf(reference, test, rows);
  const withZeros = rows.some(mayFlush) ? withoutSubnormals(test) : null;
  const flushed = withZeros === null ? [] : await runCase(reference, withZeros);
  return outputs.map((output, index) => ({
    ...output,
    tolerance: {
      row: rows[index] ?? EXACT,
      terms,
      element: elementsOf(test, output.tensor, output.bytes, besides[index] ?? {}),
      flushed: flushed[index]?.bytes,
    },
  }));
}

/** Returns the first difference as text; null if there is none. Records the largest errors in the report, if given. */
export function differenceFrom(
  expected: readonly Expectation[],
  actual: readonly Output[],
  sides: Sides,
  report?: Pick<Report, 'worst'>,
): string | null {
  for (const { name, tensor, bytes, tolerance } of expected) {
    const given = actual.find((output) => output.name === name)?.bytes ?? new Uint8Array(0);
    const { mismatch, worst } = compare(tensor, bytes, given, tolerance, sides);
    if (isFloat(tensor.dataType) && !isExact(tolerance.row)) note(report, tensor.dataType, worst);
    if (mismatch !== null) return `${name} at ${mismatch}`;
  }
  return null;
}

/** The further results of the reference that each output's tolerance needs. */
async function besidesOf(reference: Device, test: ConformanceCase, rows: readonly ToleranceRow[]): Promise<Beside[]> {
  const plain = withoutActivation(test);
  const asksReference = rows.some((row) => needsMagnitudes(row) && magnitudesOf(row) === undefined);
  const magnitudes = asksReference ? await runCase(reference, withMagnitudes(plain)) : [];
  const before = rows.some(hasHost) ? await runCase(reference, plain) : [];
  return rows.map((row, index) => {
    const output = magnitudes[index];
    return {
      magnitudes: magnitudesOf(row)?.(test) ?? (output && numbersOf(output.tensor, output.bytes)),
      before: hasHost(row) ? before[index]?.bytes : undefined,
    };
  });
}

function note(report: Pick<Report, 'worst'> | undefined, dataType: DataType, worst: Worst | null): void {
  if (report === undefined) return;
  const { ulp, allowed } = worst ?? { ulp: 0, allowed: 0 };
  const before = report.worst.get(dataType);
  const share = Math.max(before?.share ?? 0, allowed === 0 ? 0 : ulp / allowed);
  const larger = before === undefined || ulp > before.ulp ? { ulp, allowed } : before;
  report.worst.set(dataType, { ...larger, share });
}

function cover(report: Report, { descriptor }: ConformanceCase): void {
  const tensors = Object.values(descriptor)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
    .filter(isTensor);
  const types = [...new Set(tensors.map((tensor) => tensor.dataType))].join(' × ');
  const row = report.coverage.get(types) ?? new Map<string, number>();
  count(row, String(tensors[0]?.sizes.length ?? 0));
  report.coverage.set(types, row);
}
