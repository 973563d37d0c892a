/**
 * A function for each operator. On tensors it computes, on values of a graph it adds a node.
 * @module node-directml/operators
 */
export * from './generated/functions.js';
export type { Input, InputOrNumber } from './types.js';
// For the declarations of tensors: their `Symbol.dispose`.
export type * from '../api/disposable.js';
