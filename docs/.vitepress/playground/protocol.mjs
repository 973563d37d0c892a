// @ts-check
// What a page and the worker that runs its program say to each other.

/**
 * @typedef {object} Program
 * @property {string} code
 * @property {string} [before] a program of which `code` is the end; what it prints is not shown
 *
 * @typedef {{ type: 'print', text: string, nested: string, grids: import('./grids.mjs').Grid[] }
 *   | { type: 'warn', text: string }
 *   | { type: 'error', text: string }
 *   | { type: 'end' }} Report
 */

export {};
