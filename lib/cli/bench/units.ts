/** Times and rates for the reader: three digits and a unit. */
import type { Amount } from './workloads.js';

/** Of milliseconds. */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${digits(milliseconds / 1000)} s`;
  return milliseconds >= 1 ? `${digits(milliseconds)} ms` : `${digits(milliseconds * 1000)} µs`;
}

/** What is done in that many milliseconds, per second; for dispatches, the time of one. */
export function rateText({ count, unit }: Amount, milliseconds: number): string {
  const perSecond = (count / milliseconds) * 1000;
  switch (unit) {
    case 'bytes':
      return `${digits(perSecond / 1e9)} GB/s`;
    case 'operations':
      return perSecond >= 1e12 ? `${digits(perSecond / 1e12)} TFLOP/s` : `${digits(perSecond / 1e9)} GFLOP/s`;
    case 'elements':
      return `${digits(perSecond / 1e6)} million elements/s`;
    case 'dispatches':
      return `${timeText(milliseconds / count)} each`;
  }
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
