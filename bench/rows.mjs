// @ts-check
// The rows that `npm run bench` measures on DirectML.
import { arrayContests } from './array.mjs';
import { batchDispatches, large, small, transferWords } from './data.mjs';
import { decodingWork, measureDecoding } from './decoding.mjs';
import { compareFrames, frameWork, measureFrames } from './frames.mjs';
import { compareBuilding, compareSingly, compileWork, graphWork } from './graphs.mjs';
import { improvedContests } from './improved.mjs';
import { compareLoading, compareWithRereading, measureLoading } from './loading.mjs';
import { measureMemory } from './memory.mjs';
import { networkWork } from './network.mjs';
import { selected } from './rounds.mjs';
import { compareFunction, compareJit, compareNewOutputs, compareRun, compareRunInto } from './run-operator.mjs';
import { compareReplaying, replayWork, scatterWork } from './scatter.mjs';
import { compareCreating, compareSessionRuns, compareSmallRuns, measureCreating, measureSecondSize } from './onnx.mjs';
import { compareDecoding } from './onnx-decoding.mjs';
import { readbackWork, readIntoWork, uploadWork } from './transfers.mjs';
import { compareCompiling, compareDispatches } from './webnn.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Compared} Compared */
/** @typedef {import('./rounds.mjs').Effort} Effort */
/** @typedef {import('./rounds.mjs').Work} Work */

/**
 * A comparison with the C++ program.
 * @typedef {object} Plan
 * @property {string} command the C++ program's command for it
 * @property {string} name
 * @property {number | null} bytes see Comparison in verdict.mjs
 * @property {number} limit see Comparison in verdict.mjs
 * @property {number} share factor of the number of rounds, more than 1 for short work and for times that vary much
 * @property {boolean} [isWide] true if it uses several cores; then it is not pinned to one core
 * @property {(device: Device) => Promise<Work>} prepare
 */

/** @type {readonly Plan[]} */
const plans = [
  {
    command: 'large',
    name: 'ScatterND, 1M floats, 100k updates: dispatch to completion',
    bytes: null,
    limit: 1.05,
    share: 12,
    isWide: true,
    prepare: (device) => scatterWork(device, large, 1),
  },
  {
    command: 'batch',
    name: 'ScatterND, 1k floats: 1,000 dispatches in a batch',
    bytes: null,
    limit: 1.08,
    share: 1,
    prepare: (device) => scatterWork(device, small, batchDispatches),
  },
  {
    command: 'network',
    name: '50 operators with buffers of their own: 1,000 dispatches',
    bytes: null,
    limit: 1,
    share: 1,
    prepare: networkWork,
  },
  {
    // The C++ program records all dispatches in one list, because a recording is one list, too.
    command: 'list',
    name: 'ScatterND, 1k floats: 1,000 dispatches replayed, and recorded by C++',
    bytes: null,
    limit: 0.75,
    share: 1,
    prepare: replayWork,
  },
  {
    command: 'replay',
    name: 'ScatterND, 1k floats: 1,000 dispatches replayed by both',
    bytes: null,
    limit: 1.05,
    share: 1,
    prepare: replayWork,
  },
  {
    command: 'upload',
    name: 'upload of 64 MiB',
    bytes: 4 * transferWords,
    limit: 1,
    share: 1,
    isWide: true,
    prepare: uploadWork,
  },
  {
    command: 'readback',
    name: 'readback of 64 MiB, into new memory',
    bytes: 4 * transferWords,
    limit: 0.7,
    share: 1,
    isWide: true,
    prepare: readbackWork,
  },
  {
    command: 'readinto',
    name: 'readback of 64 MiB, into the same memory each time',
    bytes: 4 * transferWords,
    limit: 0.9,
    share: 1,
    isWide: true,
    prepare: readIntoWork,
  },
  {
    command: 'compile',
    name: 'graph of 1,000 nodes: build and compile',
    bytes: null,
    limit: 1.08,
    share: 1,
    prepare: compileWork,
  },
  {
    command: 'graph',
    name: 'graph of 100 nodes: 10 dispatches',
    bytes: null,
    limit: 1.1,
    share: 3,
    prepare: graphWork,
  },
  {
    command: 'decode',
    name: 'decoding of 20 tokens, each of which is read',
    bytes: null,
    limit: 1.1,
    share: 1,
    prepare: decodingWork,
  },
  {
    command: 'frame',
    name: 'frame of 1080p, texture to tensor to texture: dispatch to completion',
    bytes: null,
    limit: 1.05,
    share: 1,
    isWide: true,
    prepare: frameWork,
  },
];

/**
 * Comparisons of two ways to do the same work with the package.
 * @type {readonly { name: string, isWide?: boolean, compare: (device: Device, effort: Effort) => Promise<Compared> }[]}
 */
const contests = [
  { name: 'addition of 1,000 floats: 1,000 times run', compare: compareRun },
  { name: 'addition of 1,000 floats: 1,000 times run into the same output', compare: compareRunInto },
  { name: 'addition of 1 MiB: 50 times run, with a new output and a given one', compare: compareNewOutputs },
  { name: 'addition of 1,000 floats: 1,000 times by its function, and run', compare: compareFunction },
  { name: 'addition of 1,000 floats: 1,000 times by jit, and by run of its graph', compare: compareJit },
  ...arrayContests,
  { name: '1,000 dispatches until submitted: replayed, and recorded', compare: compareReplaying },
  { name: '100 nodes, 10 times: a graph, and its operators one by one', compare: compareSingly },
  { name: 'building a graph, time per node: 5,000 nodes, and 500', compare: compareBuilding },
  ...improvedContests,
  { name: 'loading 1 GiB of safetensors, and reading it into new memory', isWide: true, compare: compareLoading },
  { name: 'loading 1 GiB of safetensors, and reading it into the same 4 MiB', isWide: true, compare: compareWithRereading },
  { name: 'frame of 1080p: on the device, and through the CPU', isWide: true, compare: compareFrames },
  { name: 'WebNN, graph of 200 operators: build and compile', compare: compareCompiling },
  { name: 'WebNN, graph of 200 operators: 10 dispatches', compare: compareDispatches },
  { name: 'onnx, 12 layers: a run, and its graph with copies by hand', compare: compareSessionRuns },
  { name: 'onnx, one Relu: 20 times run, and by jit with copies', compare: compareSmallRuns },
  { name: 'onnx, decoder of 4 layers: 20 tokens, and by examples/generate', compare: compareDecoding },
  { name: 'onnx, 500 MiB: creating a session, and reading the file', isWide: true, compare: compareCreating },
];

/**
 * Measured on devices of their own, after all other devices are disposed.
 * @type {readonly { name: string, measure: (effort: Effort) => Promise<Omit<import('./verdict.mjs').Measurement, 'name'>> }[]}
 */
const measurements = [
  { name: 'pooled memory 10 s after 1 GiB of writes, reads, and temporaries', measure: measureMemory },
  { name: 'loading 1 GiB of safetensors: memory beside its tensors', measure: measureLoading },
  { name: 'decoding: work of the JavaScript thread for each token, more than in C++', measure: measureDecoding },
  { name: 'frame of 1080p: work of the JavaScript thread, more than in C++', measure: measureFrames },
  { name: 'onnx, 12 MiB of weights: memory of the graph of a second size', measure: measureSecondSize },
  { name: 'onnx, 500 MiB: memory while a session is created', measure: measureCreating },
];

/** Which rows to measure: the wide rows, the others, or all. @typedef {'wide' | 'narrow' | 'all'} Group */

/** Returns the rows of a group in whose names the text occurs. */
export function rowsOf(/** @type {Group} */ group, /** @type {string} */ text) {
  const isIn = ({ isWide = false }) => group === 'all' || isWide === (group === 'wide');
  const rows = {
    plans: selected(plans, text).filter(isIn),
    contests: selected(contests, text).filter(isIn),
    measurements: group === 'wide' ? [] : selected(measurements, text),
  };
  return { ...rows, count: rows.plans.length + rows.contests.length + rows.measurements.length };
}
