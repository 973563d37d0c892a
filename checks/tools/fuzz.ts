/**
 * `npm run fuzz`: random valid and invalid calls of the public API, or of sessions on ONNX models, on devices that may end at any
 * moment; or files of any kind. Only the package's own errors may be thrown, every promise must settle, and nothing may leak.
 */
import { table } from '#lib/cli/layout.js';
import { showProgress } from '../harness/report.js';
import { runTool, type Given, type Mode } from '../harness/tool.js';
import { Report, type Trouble } from '../fuzz/report.js';
import type { PlayName } from '../fuzz/round.js';
import { runSegment } from '../fuzz/segment.js';

/** The number of processes at a time. */
const WORKERS = 2;
const OWN_NODE = process.versions.node.split('.')[0] ?? '';

type Row = ReturnType<Report['row']>;

interface Plan {
  readonly play: PlayName;
  readonly perRound: number;
  readonly seed: number;
  readonly from: number;
  readonly calls: number;
  readonly workers: number;
  readonly shown: number;
}

function modeOf(play: PlayName, perRound: number, calls: number, summary: string): Mode {
  return {
    ...(play !== 'calls' && { option: play }),
    summary,
    options: {
      seed: '',
      cases: `how many calls (default: ${calls})`,
      from: 'the number of the first call (default: 0)',
      show: '',
      workers: `how many processes at a time (default: ${WORKERS})`,
      node: '',
    },
    async run(given) {
      const plan = {
        play,
        perRound,
        seed: given.seed(),
        from: given.numberOf('from', 0),
        calls: given.numberOf('cases', calls),
        workers: given.numberOf('workers', WORKERS, 1),
        shown: given.shown(),
      };
      const rows: Record<string, Row> = {};
      let failures = 0;
      const isHere = play === 'files' && !given.has('node');
      for (const version of versionsOf(given)) {
        const began = Date.now();
        const report = await runAll(version, isHere, plan);
        failures += report.failures;
        rows[`node ${version}`] = { ...report.row(), seconds: Math.round((Date.now() - began) / 1000) };
      }
      print(rows);
      console.log(`seed ${plan.seed}, failures ${failures}`);
      return failures;
    },
  };
}

/** @param isHere True for the Node.js that runs this, and not that of the sandbox. */
async function runAll(
  version: string,
  isHere: boolean,
  { play, perRound, seed, from, calls, workers, shown }: Plan,
): Promise<Report> {
  const report = new Report((done) => showProgress(`node ${version}: ${done} of ${calls} calls`));
  let told = 0;
  const tell = (trouble: Trouble) => {
    report.addTrouble(trouble);
    if (++told > shown) return;
    showProgress('');
    const first = trouble.index < 0 ? from : trouble.index - ((trouble.index - from) % perRound);
    const mode = play === 'calls' ? '' : `--${play} `;
    const again = `npm run fuzz -- ${mode}--seed ${seed} --from ${first} --cases ${Math.max(1, trouble.index + 1 - first)}`;
    console.log(
      `${again} --workers 1${isHere ? '' : ` --node ${version}`}\n  ${trouble.kind}, call ${trouble.index}: ${trouble.text}`,
    );
  };
  // The workers share whole rounds evenly.
  const rounds = Math.ceil(calls / perRound);
  const processes = Math.max(1, Math.min(workers, rounds));
  const edge = (i: number) => from + Math.min(calls, Math.floor((rounds * i) / processes) * perRound);
  const segments = Array.from({ length: processes }, (_, i) => ({
    play,
    perRound,
    seed,
    from: edge(i),
    to: edge(i + 1),
    node: isHere ? null : `node${version}`,
  }));
  await Promise.all(segments.map((segment) => runSegment(segment, report, tell)));
  showProgress('');
  return report;
}

function versionsOf(given: Given): string[] {
  const text = given.textOf('node') ?? OWN_NODE;
  const versions = text === 'all' ? ['20', '22', '24'] : [text];
  if (process.platform === 'win32' && versions.some((version) => version !== OWN_NODE)) {
    throw given.mistake(
      `on Windows the Node.js that runs this is tried, which is ${OWN_NODE}: run the command with the other one`,
    );
  }
  if (!versions.every((version) => ['20', '22', '24', OWN_NODE].includes(version))) {
    throw given.mistake(`--node is 20, 22, 24 or all, not '${text}'`);
  }
  return versions;
}

/** Prints a table: a line per property, a column per version of Node.js. */
function print(rows: Readonly<Record<string, Row>>): void {
  const names = Object.keys(Object.values(rows)[0] ?? {});
  const lines = names.map((name) => [name, ...Object.values(rows).map((row) => String(row[name]))]);
  console.log(table([['', ...Object.keys(rows)], ...lines], 120));
}

const calls = modeOf(
  'calls',
  2_000,
  20_000,
  'Makes random calls of the public API, right and wrong ones, on devices that are disposed of, removed or whose thread is ' +
    'terminated at any moment: only typed errors, every promise settles, nothing leaks.',
);

const sessions = modeOf(
  'sessions',
  100,
  2_000,
  'Creates, runs and releases sessions of node-directml/onnxruntime, right and wrong ones, while their devices and contexts end at ' +
    'any moment: only typed errors, right results, every promise settles, nothing leaks.',
);

const files = modeOf(
  'files',
  200,
  10_000,
  'Loads files that strangers may give: safetensors, indexes, arrays, ONNX models and their weights, descriptors; also links, pipes, ' +
    'devices and folders in their places. Only typed errors, every promise settles, and no file outside the folder of a model is ' +
    "opened. Runs on this system's Node.js, or with --node on Windows' in the sandbox.",
);

runTool({ name: 'fuzz', modes: [calls, sessions, files] });
