/**
 * `npm run parity`: our validation and the real DirectML must give the same verdicts. Its modes are in the files that it imports.
 */
import { runTool } from '../../checks/harness/tool.js';
import { descriptors, stored } from './compare-operators.js';
import { crash } from './crash.js';
import { dispatch } from './dispatch.js';
import { graphs } from './graphs/run.js';

runTool({ name: 'parity', modes: [descriptors, graphs, dispatch, crash, stored] });
