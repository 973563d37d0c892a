// @ts-check
// The benchmark's rows about improved graphs: fifteen networks compiled as DirectML could have them, and as they were written.
import { createRequire } from 'node:module';
import { createDevice } from 'node-directml';
import { loadOnnx } from 'node-directml/onnx';
import { markdownTable, valueText } from './report.mjs';
import { takeTurns, timed } from './rounds.mjs';

/** @typedef {import('node-directml').Device} Device */
/** @typedef {import('./rounds.mjs').Compared} Compared */
/** @typedef {import('./rounds.mjs').Effort} Effort */

/** What a network gets for an input. @typedef {{ type: string, dims: number[], data: unknown }} Feed */
/** A network of checks/networks/models. @typedef {{ bytes: Uint8Array, tolerance: number, feeds: Record<string, Feed> }} Network */

/** What scripts/shared/bundle-tools.mjs makes of them. @type {Record<'models' | 'blocks', Record<string, () => Network>>} */
const { models, blocks } = createRequire(import.meta.url)('../build/tools/networks/models/index.js');

/** The time of the improved graph, at most, as a share of that of the written one: less for those made of many small nodes. */
const limits = new Map([
  ['transformer block', { directml: 0.85, reference: 0.8 }],
  ['convolutional residual block', { directml: 0.85, reference: 0.8 }],
]);
const others = { directml: 1.01, reference: 1.01 };
const compiling = 1.1;
const runs = 5;

/** Loads the network in one of both ways, and makes tensors for its inputs. */
async function prepare(/** @type {Device} */ device, /** @type {() => Network} */ make, /** @type {'fast' | false} */ optimize) {
  const { bytes, feeds, tolerance } = make();
  const model = await loadOnnx(device, bytes, { optimize });
  const graph = device.createGraph();
  /** @type {Record<string, import('node-directml').Value>} */
  const values = {};
  /** @type {Record<string, import('node-directml').Tensor>} */
  const inputs = {};
  for (const [name, { type, dims, data }] of Object.entries(feeds)) {
    const dataType = /** @type {import('node-directml').DataType} */ (type);
    const desc = { dataType, sizes: dims.length === 0 ? [1] : dims };
    values[name] = graph.input(name, desc);
    inputs[name] = device.createTensor(desc, /** @type {Float32Array} */ (data));
  }
  const outputs = model(values);
  const compile = () => graph.compile(outputs, { optimize });
  const nodes = graph
    .toMermaid(outputs, { optimize })
    .split('\n')
    .filter((line) => /^ +node\d+\[/.test(line)).length;
  const release = () => [model, ...Object.values(inputs)].forEach((each) => each.dispose());
  return { compile, inputs, tolerance, release, nodes };
}

/** @returns {Promise<Compared>} */
async function compareRuns(
  /** @type {Device} */ device,
  /** @type {Effort} */ effort,
  /** @type {() => Network} */ make,
  /** @type {number} */ limit,
) {
  const side = async (/** @type {'fast' | false} */ optimize) => {
    const { compile, inputs, tolerance, release, nodes } = await prepare(device, make, optimize);
    const net = await compile();
    const outputs = net.createOutputs();
    const bindings = { ...inputs, ...outputs };
    const run = () =>
      timed(async () => {
        for (let i = 0; i < runs; i++) net.dispatch(bindings);
        await device.idle();
      });
    const read = async () => Promise.all(Object.values(outputs).map(async (each) => Array.from(await each.read(), Number)));
    const dispose = () => {
      [net, ...Object.values(outputs)].forEach((each) => each.dispose());
      release();
    };
    return { run, read, dispose, tolerance, size: { nodes, temporary: net.memory.temporary } };
  };
  const [improved, written] = [await side('fast'), await side(false)];
  const turns = await takeTurns({ ...effort, limit }, improved.run, written.run);
  const expected = await written.read();
  const equal = (await improved.read()).every((given, output) => {
    const most = Math.max(...(expected[output] ?? []).map(Math.abs));
    return given.every((value, i) => Math.abs(value - (expected[output]?.[i] ?? NaN)) <= improved.tolerance * most);
  });
  improved.dispose();
  written.dispose();
  const graphs = { improved: improved.size, written: written.size };
  return { ours: 'improved', theirs: 'written', equal, graphs, ...turns };
}

/** @returns {Promise<Compared>} */
async function compareCompiling(/** @type {Device} */ device, /** @type {Effort} */ effort, /** @type {() => Network} */ make) {
  const [improved, written] = [await prepare(device, make, 'fast'), await prepare(device, make, false)];
  const side = (/** @type {typeof improved} */ { compile }) => {
    return async () => {
      const start = performance.now();
      const net = await compile();
      const time = performance.now() - start;
      net.dispose();
      return time;
    };
  };
  const turns = await takeTurns({ ...effort, limit: compiling }, side(improved), side(written));
  improved.release();
  written.release();
  return { ours: 'improved', theirs: 'written', equal: true, ...turns };
}

const networks = Object.entries({ ...blocks, ...models });

/** On DirectML. */
export const improvedContests = networks.flatMap(([name, make]) => [
  {
    name: `graph, ${name}: improved, and as written`,
    compare: (/** @type {Device} */ device, /** @type {Effort} */ effort) =>
      compareRuns(device, effort, make, (limits.get(name) ?? others).directml),
  },
  {
    name: `graph, ${name}: compiling improved, and as written`,
    compare: (/** @type {Device} */ device, /** @type {Effort} */ effort) => compareCompiling(device, effort, make),
  },
]);

/** On the reference. */
export const improvedRows = networks.map(([name, make]) => ({
  name: `graph, on the reference, ${name}: improved, and as written`,
  async measure(/** @type {Effort} */ effort) {
    const device = await createDevice({ backend: 'reference', thread: 'caller' });
    const compared = await compareRuns(device, effort, make, (limits.get(name) ?? others).reference);
    device.dispose();
    return compared;
  },
}));

/** What was measured of each network, as a table in Markdown. */
export function improvedTable(/** @type {readonly import('./report.mjs').Row[]} */ rows) {
  const ratioOf = (/** @type {string} */ name) => rows.find((row) => row.name === name)?.ratio?.toFixed(2) ?? '';
  const lines = networks.flatMap(([name]) => {
    const own = rows.find((row) => row.name === `graph, ${name}: improved, and as written`);
    if (own?.graphs === undefined) return [];
    const { written, improved } = own.graphs;
    const kib = (/** @type {import('./verdict.mjs').GraphSize} */ { temporary }) => `${(temporary / 1024).toFixed(0)}`;
    return [
      [
        ...[name, `${written.nodes}`, `${improved.nodes}`, kib(written), kib(improved)],
        ...[valueText(own.theirs ?? 0, own.unit), valueText(own.ours, own.unit), own.ratio?.toFixed(2) ?? ''],
        ...[ratioOf(`graph, ${name}: compiling improved, and as written`)],
        ...[ratioOf(`graph, on the reference, ${name}: improved, and as written`)],
      ],
    ];
  });
  const head = ['network', 'nodes', 'improved', 'KiB inside', 'improved', `${runs} runs`, 'improved', 'ratio'];
  return markdownTable([...head, 'compiling', 'on the reference'], lines);
}
