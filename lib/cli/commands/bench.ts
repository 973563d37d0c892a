/** `node-directml bench`: measures this machine. */
import { createDevice, type Device, type DeviceOptions } from '../../index.js';
import { didYouMean } from '../../near-names.js';
import { adapterNamed } from '../adapter-option.js';
import { backendNamed } from '../backend-option.js';
import { measure, type Measured } from '../bench/measure.js';
import { rateText, timeText } from '../bench/units.js';
import { workloadIds, workloadsFor, type Workload } from '../bench/workloads.js';
import { UsageError, type Command } from '../command.js';
import { table } from '../layout.js';
import { describeMachine } from '../machine.js';
import { styled } from '../terminal.js';

const secondsPerRow = 1;

export const bench: Command = {
  name: 'bench',
  summary: 'Measures how fast this machine copies, computes, dispatches and compiles',
  usage: '[ROW ...]',
  maxPositionals: workloadIds.length,
  options: {
    adapter: { value: 'LUID', help: 'the adapter to measure, or its number in the list of `node-directml adapters`' },
    backend: { value: 'NAME', help: 'directml (the default) or reference' },
    seconds: { value: 'NUMBER', help: `seconds for each row (default: ${secondsPerRow}), but at least three rounds` },
  },
  help: [
    'A time is the median of rounds. A round does its work until 20 milliseconds have passed, and waits for its end. Rates count ' +
      'the bytes that the operator reads and writes, or its multiplications and additions. elementWiseIdentity shows how fast ' +
      'the adapter copies: what reads and writes as many bytes can hardly be faster.',
    `Rows: ${workloadIds.join(', ')}. All of them, if none is named.`,
    'Close other programs, and connect a laptop to power, for numbers that can be compared.',
  ],
  async run(given, terminal) {
    const backend = backendNamed(given.valueOf('backend')) ?? 'directml';
    const adapter = backend === 'reference' ? undefined : adapterNamed(given.valueOf('adapter'));
    const milliseconds = 1000 * given.numberOf('seconds', 0, secondsPerRow);
    const workloads = named(given.positionals, workloadsFor(backend));
    const machine = await onDevice({ backend, adapter }, describeMachine);
    const isJson = given.has('json');
    if (!isJson) for (const line of machine.lines) terminal.out(styled(terminal, 'dim', line));
    const rows: Row[] = [];
    for (const [i, workload] of workloads.entries()) {
      terminal.progress(`${workload.name} (${i + 1} of ${workloads.length})`);
      const measured = await onDevice({ backend, adapter }, async (device) =>
        measure(await workload.prepare(device), milliseconds),
      );
      rows.push({ workload, measured });
    }
    terminal.progress(null);
    if (isJson) terminal.out(JSON.stringify({ ...machine.facts, rows: rows.map(jsonRow) }, null, 2));
    else terminal.out(`\n${table(rows.map(textRow), terminal.width)}`);
    return 0;
  },
};

/** The rows with these names; all, if there are none. */
function named(names: readonly string[], workloads: readonly Workload[]): readonly Workload[] {
  for (const name of names) {
    if (workloadIds.includes(name)) continue;
    throw new UsageError(
      `there is no row '${name}' (${didYouMean(name, workloadIds) ?? `there are: ${workloadIds.join(', ')}`})`,
    );
  }
  return names.length === 0 ? workloads : workloads.filter(({ id }) => names.includes(id));
}

interface Row {
  readonly workload: Workload;
  readonly measured: Measured;
}

/** On a device of its own, whose memory is free again for the next row. */
async function onDevice<Result>(options: DeviceOptions, work: (device: Device) => Promise<Result>): Promise<Result> {
  const device = await createDevice(options);
  try {
    return await work(device);
  } finally {
    device.dispose();
  }
}

function textRow({ workload: { name, amount }, measured: { median, least, rounds, repeats } }: Row): string[] {
  const rate = amount === null ? '' : rateText(amount, median);
  const often = repeats === 1 ? `${rounds} rounds` : `${rounds} rounds of ${repeats}`;
  return [name, timeText(median), rate, `best ${timeText(least)}, ${often}`];
}

function jsonRow({ workload: { id, name, amount }, measured: { median, least, rounds, repeats } }: Row): object {
  return { id, name, amount, milliseconds: { median, least }, rounds, repeats };
}
