/** Says what computed, and how long it took. */
import type { Device } from '../../index.js';

export interface Where {
  readonly backend: string;
  readonly adapter: string | null;
  readonly directmlVersion: string | null;
}

export function whereOf({ info }: Device): Where {
  return { backend: info.backend, adapter: info.adapter?.name ?? null, directmlVersion: info.directmlVersion };
}

export function whereText({ backend, adapter, directmlVersion }: Where): string {
  return backend === 'reference' ? 'reference backend' : `DirectML ${directmlVersion ?? ''}, ${adapter ?? ''}`;
}

/** A time in milliseconds. */
export function timeText(time: number): string {
  return `${time < 10 ? time.toPrecision(2) : time.toFixed(0)} ms`;
}

export function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1] ?? NaN;
}
