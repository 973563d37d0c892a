/**
 * `npm run test:reference`: computes every worked example of DirectML's public reference pages with the reference
 * backend, on any system. A line for each operator, totals last.
 */
import { createDevice } from 'node-directml';
import { isComputable } from './example.js';
import { examplesByOperator } from './examples/index.js';
import { runExample } from './run.js';

async function main(): Promise<number> {
  const device = await createDevice({ backend: 'reference' });
  const total = { examples: 0, computed: 0, waiting: 0, failed: 0 };
  for (const [type, examples] of examplesByOperator()) {
    total.examples += examples.length;
    const ready = examples.filter(({ descriptor }) => isComputable(descriptor));
    const failures: string[] = [];
    for (const example of ready) {
      const failure = await runExample(device, example);
      if (failure !== null) failures.push(failure);
    }
    total.waiting += examples.length - ready.length;
    total.failed += failures.length;
    total.computed += ready.length - failures.length;
    const state = ready.length === 0 ? 'waiting for the operator' : failures.length > 0 ? `${failures.length} FAILED` : '';
    console.log(`${type.padEnd(24)} ${String(examples.length).padStart(3)}  ${state}`.trimEnd());
    for (const failure of failures) console.log(`  ${failure.replaceAll('\n', '\n  ')}`);
  }
  device.dispose();
  const failed = total.failed > 0 ? `, ${total.failed} failed` : '';
  console.log(
    `${total.examples} examples: ${total.computed} computed, ${total.waiting} waiting for their operator${failed}`,
  );
  return total.failed === 0 ? 0 : 1;
}

void main().then((code) => {
  process.exitCode = code;
});
