/** The rows of `node-directml bench` as text and as JSON: their rates, and the shares of the rates that the adapter has shown. */
import { table } from '../layout.js';
import type { Measured } from './measure.js';
import { arithmeticText, bandwidthText, shareText, timeText } from './units.js';
import type { Prepared, Workload } from './workload.js';

/** A row that was measured. */
export interface Row extends Pick<Prepared, 'name' | 'amounts'>, Pick<Workload, 'id'> {
  readonly measured: Measured;
  /** The GPU time in milliseconds for doing the work once; null if it cannot be measured. */
  readonly gpu: number | null;
}

/** The best measured rates of the adapter, per second. */
interface Limits {
  /** In bytes, read and written, within the adapter's memory. */
  readonly copy: number | null;
  readonly upload: number | null;
  readonly download: number | null;
  /** In multiplications and additions, of the product of matrices. */
  readonly float32: number | null;
  readonly float16: number | null;
}

export function limitsOf(rows: readonly Row[]): Limits {
  const rate = (id: string): number | null => {
    const row = rows.find((candidate) => candidate.id === id);
    if (row === undefined) return null;
    const { bytes, transferred, operations } = row.amounts;
    return perSecond(row, operations?.count ?? bytes ?? transferred);
  };
  return {
    copy: rate('copy'),
    upload: rate('write'),
    download: rate('readInto'),
    float32: rate('gemm-float32'),
    float16: rate('gemm-float16'),
  };
}

/** Rates per second, and their shares of the limits; null where nothing is counted or no limit is known. */
function ratesOf(row: Row, limits: Limits) {
  const { bytes, transferred, operations } = row.amounts;
  const bytesPerSecond = perSecond(row, bytes ?? transferred);
  const operationsPerSecond = perSecond(row, operations?.count);
  return {
    bytesPerSecond,
    shareOfCopy: share(bytes === undefined ? null : bytesPerSecond, limits.copy),
    operationsPerSecond,
    shareOfGemm: share(operationsPerSecond, operations === undefined ? null : limits[operations.dataType]),
  };
}

function perSecond({ measured }: Row, count: number | undefined): number | null {
  return count === undefined ? null : (count / measured.median) * 1000;
}

function share(rate: number | null, limit: number | null): number | null {
  return rate === null || limit === null ? null : rate / limit;
}

export function rowJson(row: Row, limits: Limits): object {
  const { id, name, amounts, measured, gpu } = row;
  const { median, least, rounds, repeats } = measured;
  return {
    id,
    name,
    milliseconds: { median, least, gpu },
    rounds,
    repeats,
    bytes: amounts.bytes ?? amounts.transferred ?? null,
    operations: amounts.operations?.count ?? null,
    elements: amounts.elements ?? null,
    dispatches: amounts.dispatches ?? null,
    ...ratesOf(row, limits),
  };
}

/** What a report has of a row: times in milliseconds. */
export function reportedRow({ id, measured, gpu }: Row): object {
  return { id, milliseconds: measured.median, gpu };
}

/** A terminal this wide has room for how often a row was measured. */
const wide = 110;

/** Empty columns are left out. */
export function rowsText(rows: readonly Row[], limits: Limits, width: number): string {
  const head = ['', 'time', 'GPU', 'rate, of copy', 'rate, of gemm', ''];
  const lines = rows.map((row) => cellsOf(row, limits));
  const isUsed = head.map((_, column) => lines.some((cells) => cells[column] !== ''));
  if (width < wide) isUsed[head.length - 1] = false;
  return table(
    [head, ...lines].map((cells) => cells.filter((_, column) => isUsed[column])),
    width,
  );
}

function cellsOf(row: Row, limits: Limits): string[] {
  const { name, amounts, measured, gpu } = row;
  const { bytesPerSecond, shareOfCopy, operationsPerSecond, shareOfGemm } = ratesOf(row, limits);
  const { median, least, rounds, repeats } = measured;
  const each = amounts.dispatches === undefined ? '' : `${timeText(median / amounts.dispatches)} each`;
  const often = repeats === 1 ? `${rounds} rounds` : `${rounds} rounds of ${repeats}`;
  return [
    name,
    timeText(median),
    gpu === null ? '' : timeText(gpu),
    bytesPerSecond === null ? each : withShare(bandwidthText(bytesPerSecond), shareOfCopy),
    operationsPerSecond === null ? '' : withShare(arithmeticText(operationsPerSecond), shareOfGemm),
    `best ${timeText(least)}, ${often}`,
  ];
}

function withShare(rate: string, part: number | null): string {
  return part === null ? rate : `${rate} ${shareText(part)}`;
}
