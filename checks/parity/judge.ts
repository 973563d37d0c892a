/** Lets our validation and the real DirectML judge descriptors, and compares their verdicts. */
import type { DirectMLError } from '#lib/values/errors.js';
import { strictRuleOf, type StrictRule } from '#lib/descriptors/strict.js';
import type { Candidate } from '../descriptors/candidate.js';
import { askDirectML, type Answer } from './ask-directml.js';
import { encodeLoosely } from '../descriptors/encode.js';
import { refusalOf } from '../descriptors/refusal.js';

export interface Judged extends Candidate {
  /** The error of our validation; null if it accepts the descriptor. */
  readonly ours: DirectMLError | null;
  readonly theirs: Answer;
  readonly outcome: 'valid' | 'invalid' | 'stricter' | 'disagree';
  /** The rule that is stricter than DirectML on purpose. */
  readonly strictRule?: StrictRule;
}

export async function judge(candidates: readonly Candidate[], progress?: (done: number) => void): Promise<Judged[]> {
  const verdicts = await askDirectML(
    candidates.map(({ descriptor }) => encodeLoosely(descriptor)),
    progress,
  );
  return candidates.map((candidate, i) => compare(candidate, verdicts[i] ?? 'no answer'));
}

function compare(candidate: Candidate, theirs: Answer): Judged {
  const ours = refusalOf(candidate.descriptor);
  // DirectML gives no answer, so a refusal of ours is not agreement.
  if (theirs === 'hang') return { ...candidate, ours, theirs, outcome: 'disagree' };
  // A descriptor that CreateOperator accepts is valid, even if this Direct3D cannot compile it.
  const accepted = theirs === 'ok' || theirs.includes('CompileOperator');
  if (accepted === (ours === null)) return { ...candidate, ours, theirs, outcome: accepted ? 'valid' : 'invalid' };
  const strictRule = ours === null ? undefined : strictRuleOf(ours);
  if (strictRule === undefined) return { ...candidate, ours, theirs, outcome: 'disagree' };
  return { ...candidate, ours, theirs, outcome: 'stricter', strictRule };
}
