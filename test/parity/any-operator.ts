/** Candidates of any operator: half of them valid by construction, the other half with one mutation. */
import type { OperatorType } from 'node-directml';
import { generators } from '../operators/cases.js';
import type { Random } from '../random.js';
import { mutated, type Candidate, type LooseDescriptor, type Mutation } from './candidate.js';
import { fieldMutations } from './field-mutations.js';
import { fusionMutation } from './fusion.js';
import { tensorMutations } from './tensor-mutations.js';
import { validChanges } from './valid-changes.js';

export function candidateOf(operator: OperatorType): (random: Random) => Candidate {
  return (random) => {
    // A copy, because generators may share arrays between tensors.
    const descriptor: LooseDescriptor = structuredClone({
      ...generators[operator](random, random.int(0, 9999)).descriptor,
    });
    return halfBroken(random, descriptor, MUTATIONS);
  };
}

/** The valid descriptor of a conformance case; as it is, with a change that keeps it valid, or with one of the mutations. */
export function halfBroken<T extends LooseDescriptor>(
  random: Random,
  descriptor: T,
  mutations: readonly Mutation<T>[],
): Candidate {
  if (random.chance(0.5)) return mutated(random, descriptor, mutations);
  return random.chance(0.5) ? { rule: 'valid', descriptor } : mutated(random, descriptor, validChanges);
}

const MUTATIONS: readonly Mutation<LooseDescriptor>[] = [
  ...fieldMutations,
  ...fieldMutations,
  ...tensorMutations,
  fusionMutation,
];
