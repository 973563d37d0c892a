// @ts-check
// VitePress runs `load` while it builds the site, and gives the pages its result as `data`.
import { allExamples } from './programs.mjs';

/** @type {readonly import('./programs.mjs').Example[]} */
export let data;

export default { load: allExamples };
