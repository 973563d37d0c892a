/**
 * `npm run parity`: our validation and the real DirectML must give the same verdicts. Its modes are in the files that it imports.
 */
import { runTool } from '../harness/tool.js';
import { descriptors, stored } from '../parity/compare-operators.js';
import { malformed } from '../parity/malformed/mode.js';
import { dispatch } from '../parity/dispatch.js';
import { graphs } from '../parity/graphs/run.js';

runTool({ name: 'parity', modes: [descriptors, graphs, dispatch, malformed, stored] });
