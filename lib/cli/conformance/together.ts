/** Cases on two devices that work at the same time: on one adapter, and on two. Some drivers crash at that. */
import { createDevice, listAdapters, type Device, type OperatorType } from '../../index.js';
import { loadSuite, type SuiteDevices, type SuiteFailure } from './suite.js';

/** Of several families, among them operators for which drivers have metacommands. */
const operators: readonly OperatorType[] = ['convolution', 'gemm', 'scatterNd', 'reduce', 'elementWiseAdd', 'maxPooling'];
const casesPerOperator = 8;

/** The result of two devices. */
export interface TogetherReport {
  /** The names of their adapters; of the reference backend, its own name. */
  readonly names: readonly [string, string];
  readonly cases: number;
  readonly failures: readonly (SuiteFailure & { readonly operator: OperatorType })[];
}

/** Runs the cases on the device and on a second one of the same adapter, then on the device and one of each other adapter. */
export async function runTogether(
  { directml, reference }: SuiteDevices,
  seed: number,
  progress: (text: string) => void,
): Promise<TogetherReport[]> {
  const { backend, adapter } = directml.info;
  const reports: TogetherReport[] = [];
  for (const luid of adapter === null ? [undefined] : [adapter.luid, ...(await othersThan(adapter.luid))]) {
    const second = await createDevice({ backend, adapter: luid });
    try {
      const names = [nameOf(directml), nameOf(second)] as const;
      progress(`two devices at the same time: ${names.join(' and ')}`);
      const both = await Promise.all([runOn(directml, reference, seed), runOn(second, reference, seed)]);
      const cases = both.reduce((sum, one) => sum + one.cases, 0);
      reports.push({ names, cases, failures: both.flatMap(({ failures }) => failures) });
    } finally {
      second.dispose();
    }
  }
  return reports;
}

async function runOn(directml: Device, reference: Device, seed: number): Promise<Pick<TogetherReport, 'cases' | 'failures'>> {
  const failures: TogetherReport['failures'][number][] = [];
  let cases = 0;
  for (const operator of operators) {
    const report = await loadSuite().run({ directml, reference }, operator, { seed, count: casesPerOperator });
    cases += report.cases;
    failures.push(...report.failures.map((failure) => ({ ...failure, operator })));
  }
  return { cases, failures };
}

/** The LUIDs of the other adapters that Direct3D 12 can use. */
async function othersThan(luid: string): Promise<string[]> {
  const all = await listAdapters();
  return all.flatMap((adapter) => (adapter.luid === luid || adapter.d3d12FeatureLevel === null ? [] : [adapter.luid]));
}

function nameOf({ info }: Device): string {
  return info.adapter?.name ?? 'the reference backend';
}
