/** Candidates of each operator: half of them valid by construction, the other half with one mutation. */
import type { OperatorType } from 'node-directml';
import { generators, operatorTypes } from '../operators/cases.js';
import type { Random } from '../harness/random.js';
import { mutated, type Candidate, type LooseDescriptor, type Mutation } from './candidate.js';
import { fieldMutations } from './field-mutations.js';
import { fusionMutation } from './fusion.js';
import { isDeadly, scatterNdMutations } from './scatter-nd.js';
import { tensorMutations, validChanges } from './tensor-mutations.js';

/** The share of candidates that crash DirectML. Each takes seconds, because the process with the DLL has to be restarted. */
const DEADLY = 0.05;

/** Mutations of any operator. */
export const MUTATIONS: readonly Mutation[] = [...fieldMutations, ...fieldMutations, ...tensorMutations, fusionMutation];

export function candidateOf(operator: OperatorType): (random: Random) => Candidate {
  const mutations = operator === 'scatterNd' ? [...MUTATIONS, ...scatterNdMutations] : MUTATIONS;
  return (random) => {
    for (;;) {
      const candidate = drawn(random, operator, mutations);
      if (!isDeadly(candidate.descriptor) || random.chance(DEADLY)) return candidate;
    }
  };
}

/** The valid descriptor of a conformance case; as it is, with a change that keeps it valid, or with one of the mutations. */
function drawn(random: Random, operator: OperatorType, mutations: readonly Mutation[]): Candidate {
  // A copy, because generators may share arrays between tensors.
  const descriptor: LooseDescriptor = structuredClone({ ...generators[operator](random, random.int(0, 9999)).descriptor });
  if (random.chance(0.5)) return mutated(random, descriptor, mutations);
  return random.chance(0.5) ? { rule: 'valid', descriptor } : mutated(random, descriptor, validChanges);
}

/** The generators of candidates by operator, in the order of a run. */
export const candidates: Readonly<Record<string, (random: Random) => Candidate>> = Object.fromEntries(
  operatorTypes.map((operator) => [operator, candidateOf(operator)]),
);
