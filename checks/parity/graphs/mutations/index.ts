/** All ways to break a graph by one mistake. */
import { referenceMutations } from './references.js';
import { structureMutations } from './structure.js';
import { tensorMutations } from './tensors.js';
import type { GraphMutation } from '../candidate.js';

export const mutations: readonly GraphMutation[] = [...referenceMutations, ...structureMutations, ...tensorMutations];
