// Runs one of the programs in this folder that are functions of a device, and prints what it returns:
// `node examples/run.mjs table-join`. The device takes all tensors and operators along when
// it is disposed of.
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
