// Runs one of the programs of this folder, and prints what it returns: `node examples/run.mjs table-join`. A program is a
// function that gets a device. The device is the only thing to dispose of: it takes all its tensors and operators along.
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
