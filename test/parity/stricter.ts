/** Where our validation refuses on purpose what DirectML accepts. Each rule says why; all else must agree. */
import type { DirectMLError } from 'node-directml';

interface StricterRule {
  readonly reason: string;
  readonly covers: (error: DirectMLError) => boolean;
}

const RULES: readonly StricterRule[] = [];

export function stricterOnPurpose(error: DirectMLError): string | null {
  return RULES.find((rule) => rule.covers(error))?.reason ?? null;
}
