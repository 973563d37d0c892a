// The facts in lib/operators/, for all generators.
import { join } from 'node:path';
import { checkout } from '../shared/common.mjs';
import { loadModules } from './load-module.mjs';

/**
 * @typedef {import('../../lib/operators/read.js').Facts} Facts
 * @typedef {import('../../lib/operators/read.js').Operator} Operator
 * @typedef {import('../../lib/operators/read.js').Field} Field
 * @typedef {import('../../lib/operators/read.js').Support} Support
 * @typedef {import('../../lib/operators/read.js').Enum} Enum
 * @typedef {import('../../lib/operators/read.js').Member} Member
 */

/** @type {[typeof import('../../lib/operators/read.js')]} */
const [{ firstInputOf, ownDataTypeOf, pascalCase, readFacts, written }] = await loadModules(
  join(checkout, 'lib/operators/read.ts'),
);

/** The facts as they are written, by family. */
export const { families } = written;

export { firstInputOf, ownDataTypeOf, pascalCase, readFacts };
