// @ts-check
// `npm run bench`: compares the package with C++ on DirectML and with onnxruntime, and fails if a limit is exceeded. On Linux
// the DirectML part runs in the sandbox.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLib, buildTools } from '../scripts/build.mjs';
import { buildNative } from '../scripts/shared/native.mjs';
import { checkout, main, remove, run } from '../scripts/shared/common.mjs';
import { ensurePackages } from '../scripts/shared/packages.mjs';
import { describe, lines } from './machine.mjs';
import { onOneCore } from './pinning.mjs';
import { rowOf, summary, table } from './report.mjs';
import { seed, selected, warmUps } from './rounds.mjs';
import { firstParts } from './verdict.mjs';

const usage = `npm run bench -- [options]
  --reference    compares the reference backend with TensorFlow.js instead, on any platform
  --startup      measures how long the package takes to load and to open a device, and the memory of a process, against C++
  --validation   measures how long descriptors of each family of operators are validated, on any platform
  --scaling      measures how time and memory grow with the size of the work, and draws it
  --soak MINUTES works like a server for so long, and measures and draws the memory of the process
  --write        writes tables and plots into docs; also those of the comparison with C++
  --only TEXT    measures only the rows in whose names the text occurs
  --rounds N     rounds of each row at first; short work gets more. Default: 41, and 15 with --reference
  --seconds N    a row that is still unclear gets more rounds, until it is clear or has taken N seconds. Default: 60
  --json         prints the results as one JSON document
The exit code is 1 if a row is FAILED: its whole 95 % interval is beyond its limit, its results differ, it grows faster than its
work, or memory grows in time. An unclear row does not fail.`;

/** @typedef {import('./verdict.mjs').Comparison | import('./verdict.mjs').Measurement} Measured */
/** @typedef {import('./rounds.mjs').Effort} Effort */
/** @typedef {{ surroundings: import('./machine.mjs').Surroundings | null, measured: Measured[] }} Results */

/** In milliseconds. A run that takes longer counts as hung, and is ended. */
const timeLimit = 60 * 60_000;

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string', default: '60' },
      reference: { type: 'boolean', default: false },
      startup: { type: 'boolean', default: false },
      validation: { type: 'boolean', default: false },
      scaling: { type: 'boolean', default: false },
      soak: { type: 'string' },
      write: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds ?? (values.reference ? 15 : 41));
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error(`--rounds is a whole number of at least 1`);
  const seconds = Number(values.seconds);
  if (!(seconds >= 0)) throw new Error(`--seconds is a number of at least 0`);
  const soak = values.soak === undefined ? null : Number(values.soak);
  if (soak !== null && !(soak > 0)) throw new Error(`--soak is a number of minutes above 0`);
  return { ...values, soak, effort: { rounds, seconds } };
}

/**
 * Measures in a separate process, because the DLL stays loaded until its process ends.
 * @template [Measured=Results]
 * @returns {Promise<Measured>}
 */
async function measureOnWindows(
  /** @type {string} */ script,
  /** @type {Effort} */ { rounds, seconds },
  /** @type {readonly string[]} */ rest = [],
  /** @type {Record<string, string>} */ env = {},
) {
  mkdirSync(join(checkout, 'build'), { recursive: true });
  const folder = mkdtempSync(join(checkout, 'build/bench-'));
  const report = join(folder, 'report.json');
  const args = [join(checkout, 'bench', script), report, `${rounds}`, `${seconds}`, ...rest];
  try {
    const code =
      process.platform === 'win32'
        ? await run(process.execPath, args, { timeout: timeLimit })
        : await (await import('../sandbox/run.mjs')).runInWindows('node', args, { cwd: checkout, env, timeout: timeLimit });
    if (code !== 0) throw new Error(`the DirectML part ended with exit code ${String(code)}`);
    return JSON.parse(readFileSync(report, 'utf8'));
  } finally {
    remove(folder);
  }
}

/** @returns {Promise<Results>} */
async function compareWithDirectML(/** @type {Effort} */ effort, /** @type {string} */ only) {
  const { rowsOf } = await import('./rows.mjs');
  const inSandbox = process.platform !== 'win32';
  /** @type {Results} */
  const results = { surroundings: null, measured: [] };
  for (const group of inSandbox ? /** @type {const} */ (['wide', 'narrow']) : /** @type {const} */ (['all'])) {
    if (rowsOf(group, only).count === 0) continue;
    const measure = () => measureOnWindows('directml.mjs', effort, [group, only]);
    const { surroundings, measured } = await (group === 'narrow' ? onOneCore(measure) : measure());
    results.surroundings = surroundings;
    results.measured.push(...measured.map((one) => ({ ...one, isPinned: group === 'narrow' })));
  }
  const { references } = await import('./reference.mjs');
  for (const { name, measure } of selected(references, only)) results.measured.push({ name, ...(await measure(effort)) });
  return results;
}

/**
 * For measurements of memory. In the sandbox, Linux's C library allocates the driver's memory. It is told to use one arena, because
 * otherwise it keeps tens of MiB for each thread that a device starts, which hides how much the package needs.
 */
const oneArena = { MALLOC_ARENA_MAX: '1' };

/** @returns {Promise<Results>} */
async function measureStartup(/** @type {Effort} */ effort) {
  const { surroundings, measured } = await measureOnWindows('startup.mjs', effort, [], oneArena);
  if (process.platform === 'win32') return { surroundings, measured };
  const { measureImport } = await import('./startup.mjs');
  return { surroundings, measured: [await measureImport(effort), ...measured] };
}

/** @returns {Promise<Results>} */
async function compareReference(/** @type {Effort} */ effort, /** @type {string} */ only) {
  const { compareWithTensorFlow } = await import('./tensorflow.mjs');
  /** @type {Measured[]} */
  const measured = await compareWithTensorFlow(effort, only);
  return { surroundings: null, measured };
}

/** Prints the table and the places of the plots. Returns the exit code. */
async function measureScaling(/** @type {Effort} */ effort, /** @type {string} */ only, /** @type {boolean} */ write) {
  const { growthOf } = await import('./growth.mjs');
  const { growthTable, plot } = await import('./growth-plot.mjs');
  /** @type {{ surroundings: import('./machine.mjs').Surroundings, measured: import('./growth.mjs').Scaled[] }} */
  const { surroundings, measured } = await measureOnWindows('scaling.mjs', effort, [only]);
  if (measured.length === 0) throw new Error(`no row has '${only}' in its name`);
  const machine = lines(describe(surroundings));
  const text = growthTable(measured);
  for (const row of measured) writePlot('scaling', row.name, plot(row), write);
  if (write) writeMeasured('scaling.md', 'growth', text, machine);
  console.log([...machine, '', text].join('\n'));
  return measured.every((row) => growthOf(row).isLinear) ? 0 : 1;
}

/** Prints how memory has grown, and the place of the plot. Returns the exit code. */
async function soakFor(/** @type {number} */ minutes, /** @type {Effort} */ effort, /** @type {boolean} */ write) {
  const { growthOver, memoryPlot, memoryText } = await import('./memory-plot.mjs');
  /** @type {{ surroundings: import('./machine.mjs').Surroundings, measured: import('./soak.mjs').Sample[] }} */
  const { surroundings, measured } = await measureOnWindows('soak.mjs', effort, [`${minutes}`], oneArena);
  const machine = lines(describe(surroundings));
  const text = memoryText(measured);
  writePlot('measured', 'memory', memoryPlot(measured), write);
  if (write) writeMeasured('measured.md', 'memory', text, machine);
  console.log([...machine, '', text].join('\n'));
  return growthOver(measured).isKept ? 0 : 1;
}

/** Writes a plot into docs, or else into build. */
function writePlot(
  /** @type {string} */ folder,
  /** @type {string} */ name,
  /** @type {string} */ svg,
  /** @type {boolean} */ write,
) {
  const file = join(checkout, write ? 'docs' : 'build', folder, `${name}.svg`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, svg);
  console.error(`plot: ${file}`);
}

/** Writes a text and the machine into a page of docs, between the marks of this name. */
function writeMeasured(
  /** @type {string} */ page,
  /** @type {string} */ name,
  /** @type {string} */ text,
  /** @type {readonly string[]} */ machine,
) {
  const file = join(checkout, 'docs', page);
  const marked = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=<!-- end -->)`);
  const [before = '', after = ''] = readFileSync(file, 'utf8').split(marked);
  writeFileSync(file, `${before}${text}\n\n${machine.join(', ')}\n\n${after}`);
}

/** @returns {Promise<Results>} */
async function validate(/** @type {Effort} */ effort, /** @type {string} */ only) {
  const { measureValidation } = await import('./validation.mjs');
  return { surroundings: null, measured: await measureValidation(effort, only) };
}

/** Describes in lines of text how the rows were measured. */
function method(/** @type {number} */ seconds, /** @type {readonly import('./report.mjs').Row[]} */ rows) {
  return [
    `both sides take turns, in an order by chance (seed ${seed}), in ${firstParts} parts or more, after ${warmUps} rounds to warm up`,
    `a row that is unclear gets more parts, until it is clear or has taken ${seconds} s`,
    rows.some(({ pinned }) => pinned)
      ? '*: both sides are pinned to the same one core, by taskset; without *, they have all cores'
      : 'both sides have all cores',
  ];
}

await main(async () => {
  const { effort, reference, startup, validation, scaling, soak, write, only, json, help } = readOptions();
  if (help) return void console.log(usage);
  await buildLib();
  await buildTools();
  if (reference) await ensurePackages('native');
  else if (!validation)
    await buildNative({ targets: ['node_directml', 'node_directml_bench', 'node_directml_interop'], output: 'stderr' });
  if (scaling) return measureScaling(effort, only, write);
  if (soak !== null) return soakFor(soak, effort, write);
  const measure = reference ? compareReference : startup ? measureStartup : validation ? validate : compareWithDirectML;
  const { surroundings, measured } = await measure(effort, only);
  const rows = measured.map(rowOf);
  if (rows.length === 0) throw new Error(`no row has '${only}' in its name`);
  const facts = describe(surroundings);
  // The tables of all rows need all rows.
  if (write && only === '') {
    const { limitsPlot, limitsTable } = await import('./limits-plot.mjs');
    writePlot('measured', 'limits', limitsPlot(rows), true);
    writeMeasured('measured.md', 'limits', limitsTable(rows), lines(facts));
  }
  if (write && rows.some(({ graphs }) => graphs)) {
    const { improvedTable } = await import('./improved.mjs');
    writeMeasured('measured.md', 'improved', improvedTable(rows), lines(facts));
  }
  if (json) console.log(JSON.stringify({ ...facts, seed, warmUps, rows }, null, 2));
  else console.log([...lines(facts), ...method(effort.seconds, rows), '', table(rows), '', summary(rows)].join('\n'));
  return rows.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
});
