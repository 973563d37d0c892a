/** All ways to break a graph by one mistake. */
import { brokenReferences } from './references.js';
import { brokenStructure } from './structure.js';
import { brokenTensors } from './tensors.js';
import type { GraphMutation } from '../candidate.js';

export const mutations: readonly GraphMutation[] = [...brokenReferences, ...brokenStructure, ...brokenTensors];
