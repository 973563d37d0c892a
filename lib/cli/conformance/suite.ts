/**
 * The generated cases of this package's own tests. They are in checks/conformance and checks/operators; the build puts them into
 * `dist/cli/conformance/cases.js`.
 */
import type { Device, OperatorType } from '../../index.js';
import { builtFile } from '../package-files.js';

export interface SuiteDevices {
  readonly directml: Device;
  readonly reference: Device;
}

interface SuiteRequest {
  /** The same seed gives the same cases. */
  readonly seed: number;
  readonly count: number;
  /** The number of the first case. Default: 0. */
  readonly from?: number;
  /** Called after each case. */
  readonly progress?: ((cases: number, failures: number) => void) | undefined;
}

export interface SuiteFailure {
  readonly message: string;
  /** The number of the case; null if it was not made from a seed. */
  readonly number: number | null;
  /** The case itself, as `runCase` takes it. */
  readonly json: string;
  /**
   * Whether the case is equal when DirectML may not use the driver's own shaders; null if that was not tried. It is tried for the
   * first mismatch of an operator.
   */
  readonly equalWithoutMetacommands: boolean | null;
}

export interface SuiteReport {
  readonly operator: OperatorType;
  readonly cases: number;
  readonly failures: readonly SuiteFailure[];
  /** The number of cases that this Direct3D cannot run, by cause. */
  readonly unsupported: ReadonlyMap<string, number>;
  /** One line: the cases, and per data type the largest error beside its tolerance. */
  readonly summary: string;
}

export interface ConformanceSuite {
  run(devices: SuiteDevices, operator: OperatorType, request: SuiteRequest): Promise<SuiteReport>;
  /** @throws {TypeError | SyntaxError} if the text is no case */
  runCase(devices: SuiteDevices, json: string): Promise<SuiteReport>;
}

export function loadSuite(): ConformanceSuite {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the file is made after this one is compiled
  const module: unknown = require(builtFile('conformance', 'cases.js'));
  const suite: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, 'suite') : undefined;
  if (!isSuite(suite)) throw new TypeError('cases.js is not that of this version');
  return suite;
}

/** Returns a function that tells whether the device has been lost since. */
export function watchLoss({ lost }: Device): () => boolean {
  let isLost = false;
  void lost.then(() => (isLost = true));
  return () => isLost;
}

function isSuite(value: unknown): value is ConformanceSuite {
  return typeof value === 'object' && value !== null && 'run' in value && 'runCase' in value;
}
