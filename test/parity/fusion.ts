/** Another activation in the place of a fused one: which can be fused into what is a fact of the table. */
import { generators, isOperatorType } from '../conformance/cases/index.js';
import type { Random } from '../random.js';
import { fieldsOf, isTensor, type LooseDescriptor, type Mutation } from './candidate.js';

const ACTIVATIONS = Object.keys(generators).filter(isOperatorType).filter((type) => type.startsWith('activation'));

export const fusionMutation: Mutation<LooseDescriptor> = [
  'open: fused activation',
  (random, descriptor) => {
    for (const { name, kind } of fieldsOf(descriptor)) {
      if (kind === 'operator') descriptor[name] = activation(random);
    }
  },
];

function activation(random: Random): Record<string, unknown> {
  const { descriptor } = generators[random.pick(ACTIVATIONS)](random, random.int(0, 9999));
  return Object.fromEntries(Object.entries(descriptor).filter(([, value]) => !isTensor(value)));
}
