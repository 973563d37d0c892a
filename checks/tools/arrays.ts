/** `npm run arrays`: functions of arrays beside NumPy and SciPy. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createDevice, type Device } from 'node-directml';
import { readJson, writeJson } from '../cases/case.js';
import { drawCase, functionNames, promotions, type ArrayCase } from '../arrays/cases.js';
import { checkCase, type Outcome } from '../arrays/check.js';
import { askNumPy, readStored, writeStored, type Answered } from '../arrays/oracle.js';
import { writeAnswers } from '../harness/python.js';
import { showProgress } from '../harness/report.js';
import { runTool, type Given, type Mode } from '../harness/tool.js';

const arrays: Mode = {
  summary:
    'Compares data types, sizes and elements of what the named functions of node-directml/array make (of all, if none is named) with ' +
    "NumPy's, on the reference: eagerly, in a graph and in jit. The sandbox installs NumPy and SciPy on first use.",
  names: functionNames,
  options: {
    seed: '',
    cases: 'how many cases of each function (default: 200, of einsum 500)',
    from: '',
    case: '',
    show: '',
    backend: 'directml compares those of DirectML, too',
  },
  async run(given) {
    const answered = askNumPy(casesOf(given));
    const failures = await onDevice(given, 'reference', answered);
    if (given.choiceOf('backend', ['reference', 'directml']) === 'reference') return failures;
    const file = writeAnswers('arrays', answered.map((each) => writeJson(each)).join('\n'));
    const args = [join('checks', 'run-tool.mjs'), 'arrays', '--answers', file];
    return failures + (spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
  },
};

const write: Mode = {
  option: 'write',
  summary: 'Writes the expectations of the tests again, as NumPy computes them.',
  options: {},
  run() {
    const drawn = functionNames.flatMap((name) =>
      Array.from({ length: name === 'einsum' ? 30 : 10 }, (_, number) => drawCase(name, 1, number)),
    );
    const answered = askNumPy([...drawn, ...promotions('add')]);
    writeStored(answered);
    console.log(`${answered.length} cases written`);
    return Promise.resolve(0);
  },
};

const answers: Mode = {
  option: 'answers',
  summary: 'Compares the functions on DirectML with the answers of NumPy that --backend directml has stored.',
  argument: 'FILE',
  options: { backend: 'directml or reference (default: directml)', show: '' },
  async run(given) {
    if (given.argument === undefined) throw given.mistake('name the file with the answers');
    return onDevice(given, given.choiceOf('backend', ['directml', 'reference']), readStored(given.argument));
  },
};

function casesOf(given: Given): readonly ArrayCase[] {
  const only = given.caseOf((json) => readJson(json) as ArrayCase);
  if (only !== undefined) return [only];
  const [seed, from] = [given.seed(), given.numberOf('from', 0)];
  return given.names.flatMap((name) => {
    const count = given.numberOf('cases', name === 'einsum' ? 500 : 200);
    return [...Array.from({ length: count }, (_, i) => drawCase(name, seed, from + i)), ...promotions(name)];
  });
}

async function onDevice(given: Given, backend: 'reference' | 'directml', answered: readonly Answered[]): Promise<number> {
  const device = await createDevice(backend === 'reference' ? { backend, thread: 'caller' } : { backend });
  let all = 0;
  for (const name of new Set(answered.map((each) => each.name))) {
    const counts = { passed: 0, failed: 0, refused: 0 };
    const reasons = new Set<string>();
    for (const { answer, ...own } of answered.filter((each) => each.name === name)) {
      const { kind, why } = await outcomeOf(device, own, answer);
      counts[kind]++;
      if (kind === 'refused') reasons.add(why.replaceAll(/\b(u?int|float)\d+\b/g, 'T'));
      if (kind === 'failed' && ++all <= given.shown()) console.log(`${why}\n  --case '${writeJson(own)}'`);
      showProgress(`${name}: ${counts.passed} passed `);
    }
    showProgress('');
    const { passed, failed, refused } = counts;
    console.log(`${name}: ${passed} passed, ${failed} failed, ${refused} refused`);
    for (const reason of reasons) console.log(`  ${reason}`);
  }
  device.dispose();
  console.log(`\n${answered.length} cases on ${backend}, ${all} failures`);
  return all;
}

async function outcomeOf(device: Device, own: ArrayCase, answer: Answered['answer']): Promise<Outcome> {
  try {
    return await checkCase(device, own, answer);
  } catch (error) {
    return { kind: 'failed', why: String(error) };
  }
}

runTool({ name: 'arrays', modes: [arrays, write, answers] });
