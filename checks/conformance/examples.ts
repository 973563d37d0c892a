/** `npm run conformance -- --examples`: computes the worked examples. Prints a line per operator, then the totals. */
import { createDevice } from 'node-directml';
import type { Mode } from '../harness/tool.js';
import { examplesByOperator } from '../operators/examples.js';
import { runExample } from './run-example.js';

async function computeAll(): Promise<number> {
  const device = await createDevice({ backend: 'reference' });
  const total = { examples: 0, failed: 0 };
  for (const [type, examples] of examplesByOperator()) {
    const failures: string[] = [];
    for (const example of examples) {
      const failure = await runExample(device, example);
      if (failure !== null) failures.push(failure);
    }
    total.examples += examples.length;
    total.failed += failures.length;
    const state = failures.length > 0 ? `${failures.length} FAILED` : '';
    console.log(`${type.padEnd(24)} ${String(examples.length).padStart(3)}  ${state}`.trimEnd());
    for (const failure of failures) console.log(`  ${failure.replaceAll('\n', '\n  ')}`);
  }
  device.dispose();
  console.log(`${total.examples} examples: ${total.examples - total.failed} computed, ${total.failed} failed`);
  return total.failed;
}

export const examples: Mode = {
  option: 'examples',
  summary: "Computes every worked example of DirectML's public reference pages with the reference backend, on any system.",
  options: {},
  run: computeAll,
};
