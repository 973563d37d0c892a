/** `node-directml adapters`: the adapters, best first. */
import { listAdapters } from '../../index.js';
import type { Command } from '../command.js';
import { adapterFacts } from '../doctor/adapter-text.js';
import { driverVersions } from '../doctor/drivers.js';
import { hanging } from '../layout.js';
import { styled } from '../terminal.js';

export const adapters: Command = {
  name: 'adapters',
  summary: 'Lists the graphics adapters, the fastest first',
  usage: '',
  maxPositionals: 0,
  options: {},
  help: [
    'The order is that of Windows for high performance. createDevice() takes the first hardware adapter. ' +
      'createDevice({ adapter: LUID }) takes another one; a LUID is stable until the next restart of Windows.',
  ],
  async run(given, terminal) {
    const list = await listAdapters();
    const versions = await driverVersions(list);
    const all = list.map((adapter, i) => ({ ...adapter, driverVersion: versions[i] ?? null }));
    if (given.has('json')) {
      terminal.out(JSON.stringify(all, null, 2));
      return 0;
    }
    if (all.length === 0) {
      const why = process.platform === 'win32' ? 'Windows lists no adapter' : 'DirectML is part of Windows';
      terminal.out(`There are no adapters: ${why}. The reference backend needs none.`);
    }
    for (const [i, adapter] of all.entries()) {
      terminal.out(hanging(`${i + 1}. `, styled(terminal, 'bold', adapter.name), terminal.width));
      for (const fact of adapterFacts(adapter)) terminal.out(hanging('   ', fact, terminal.width));
    }
    return 0;
  },
};
