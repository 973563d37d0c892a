// @ts-check
// VitePress runs `load` while it builds the site, and gives the pages its result as `data`.
import { completions } from './facts.mjs';

/** @type {readonly import('./facts.mjs').OperatorCompletion[]} */
export let data;

export default { load: completions };
