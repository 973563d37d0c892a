/** `npm run onnx -- FOLDER`: runs ONNX's node tests, unmodified. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDevice } from 'node-directml';
import { runTool, type Mode } from '../harness/tool.js';
import { runNodeTest, type NodeResult } from '../onnx/node-test.js';

const onnx: Mode = {
  summary:
    'Runs the node tests of ONNX in FOLDER, a checkout of onnx/onnx. Every test that does not pass is printed with its cause.',
  argument: 'FOLDER',
  options: {
    backend: 'directml or reference (default: directml)',
    only: 'only tests whose name contains the text, or matches /a regular expression/',
  },
  async run(given) {
    const backend = given.choiceOf('backend', ['directml', 'reference']);
    const only = given.textOf('only') ?? '';
    const folder = join(resolve(given.argument ?? '.'), 'onnx/backend/test/data/node');
    if (!existsSync(folder)) throw given.mistake(`there is no ${folder}`);
    const [, source] = /^\/(.*)\/$/.exec(only) ?? [];
    const isWanted = (name: string) => (source === undefined ? name.includes(only) : new RegExp(source).test(name));
    const device = await createDevice({ backend });
    const results: NodeResult[] = [];
    for (const name of readdirSync(folder).filter(isWanted)) {
      const result = await runNodeTest(device, join(folder, name), name);
      results.push(result);
      if (result.outcome !== 'passed') console.log(`${result.outcome}  ${name}: ${result.why}`);
    }
    const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
    console.log(
      `${results.length} tests: ${count('passed')} passed, ${count('unsupported')} not supported, ${count('wrong')} wrong, ` +
        `${count('failed')} failed`,
    );
    device.dispose();
    return count('wrong') + count('failed');
  },
};

runTool({ name: 'onnx', modes: [onnx] });
