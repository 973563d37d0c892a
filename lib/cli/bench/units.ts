/** Times and rates for the reader: three digits and a unit. */

/** Of milliseconds. */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${digits(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${digits(milliseconds)} ms` : `${digits(milliseconds * 1000)} µs`;
}

/** Of bytes per second. */
export function bandwidthText(perSecond: number): string {
  return perSecond >= 1e9 ? `${digits(perSecond / 1e9)} GB/s` : `${digits(perSecond / 1e6)} MB/s`;
}

/** Of multiplications and additions per second. */
export function arithmeticText(perSecond: number): string {
  return perSecond >= 1e12 ? `${digits(perSecond / 1e12)} TFLOP/s` : `${digits(perSecond / 1e9)} GFLOP/s`;
}

/** Of a quotient. */
export function shareText(share: number): string {
  return share >= 0.0995 ? `${(100 * share).toFixed(0)}%` : `${(100 * share).toPrecision(2)}%`;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
