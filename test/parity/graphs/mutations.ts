/** All ways to break a graph by one mistake. */
import { brokenReferences } from './broken-references.js';
import { brokenStructure } from './broken-structure.js';
import { brokenTensors } from './broken-tensors.js';
import type { GraphMutation } from './candidate.js';

export const mutations: readonly GraphMutation[] = [...brokenReferences, ...brokenStructure, ...brokenTensors];
