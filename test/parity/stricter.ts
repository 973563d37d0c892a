/** Where our validation refuses on purpose what DirectML accepts; `lib/validation/strict.ts` names the rules. */
import type { DirectMLError } from 'node-directml';
import { strictRuleOf, strictRules } from '#lib/validation/strict.js';

/** The rule and its reason, or null for an error that must be one of DirectML's too. */
export function stricterOnPurpose(error: DirectMLError): string | null {
  const rule = strictRuleOf(error);
  return rule === undefined ? null : `${rule} (${strictRules[rule]})`;
}
