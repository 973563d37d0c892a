// Runs one of the programs in this folder that export a function of a device, and prints its result:
// `node examples/run.mjs table-join`. Disposing the device also disposes all of its tensors
// and operators.
import { createDevice } from 'node-directml';

const [name = 'table-join'] = process.argv.slice(2);
const { default: program } = await import(`./${name}.mjs`);
const device = await createDevice();
try {
  console.log(`${name} on ${device.info.adapter?.name ?? 'the reference backend'}`);
  console.log(await program(device));
} finally {
  device.dispose();
}
