/** `node-directml bench`: measures this machine. */
import { createDevice, type Device, type DeviceOptions } from '../../index.js';
import { adapterNamed } from '../adapter-option.js';
import { backendNamed } from '../backend-option.js';
import { gpuTime, measure } from '../bench/measure.js';
import { measureModels, modelsText } from '../bench/models.js';
import { limitsOf, reportedRow, rowJson, rowsText, type Row } from '../bench/report.js';
import type { Workload } from '../bench/workload.js';
import { workloadIds, workloads } from '../bench/workloads.js';
import { UsageError, type Command } from '../command.js';
import { describeMachine } from '../machine.js';
import { nearOrAll } from '../near-or-all.js';
import { reportOption, writeReportFile } from '../report-file.js';
import { styled } from '../terminal.js';

const secondsPerRow = 1;

export const bench: Command = {
  name: 'bench',
  summary: 'Measures how fast this machine copies, computes, dispatches and compiles',
  usage: '[ROW ...]',
  maxPositionals: workloadIds.length,
  options: {
    adapter: { value: 'LUID', help: 'the adapter to measure, or its number in the list that node-directml adapters prints' },
    backend: { value: 'NAME', help: 'directml (the default) or reference' },
    models: { help: 'instead measure five ONNX models, also with onnxruntime-node if the current folder has it' },
    report: reportOption('also measure the models, and write the times'),
    seconds: { value: 'NUMBER', help: `seconds for each row (default: ${secondsPerRow}), but at least three rounds` },
  },
  help: [
    'A time is the median of rounds. A round does its work until 20 milliseconds have passed, and waits for its end. The time on ' +
      'the GPU is without submitting and waiting.',
    'Memory counts the bytes that an operator has to read and write, and compares their rate with that of a copy in the memory of ' +
      'the adapter (elementWiseIdentity). Arithmetic counts multiplications and additions, and compares their rate with that of the ' +
      'fastest gemm of the same data type. An operator near 100% of either can hardly be faster.',
    `Rows: ${workloadIds.join(', ')}. All of them, if none is named.`,
    'A model has one node. Its time is from arrays to arrays, for both packages: it includes the way to the GPU and back.',
    'Close other programs, and connect a laptop to power, for numbers that can be compared.',
  ],
  async run(given, terminal) {
    const backend = backendNamed(given.valueOf('backend')) ?? 'directml';
    const adapter = backend === 'reference' ? undefined : await adapterNamed(given.valueOf('adapter'));
    const milliseconds = 1000 * given.numberOf('seconds', 0, secondsPerRow);
    const file = given.valueOf('report');
    const onlyModels = given.has('models');
    if (onlyModels && given.positionals.length > 0) throw new UsageError('--models has rows of its own: name none');
    const wanted = onlyModels ? [] : named(given.positionals);
    const options = { backend, adapter };
    const { machine, supported } = await onDevice(options, async (device) => ({
      machine: await describeMachine(device),
      supported: (type: string) => device.info.tensorDataTypes.some((known) => known === type),
    }));
    const isJson = given.has('json');
    if (!isJson) for (const line of machine.lines) terminal.out(styled(terminal, 'dim', line));
    const needed = withLimits(wanted).filter(({ dataType }) => dataType === undefined || supported(dataType));
    const measured: Row[] = [];
    for (const [i, workload] of needed.entries()) {
      terminal.progress(`${workload.id} (${i + 1} of ${needed.length})`);
      measured.push(await onDevice(options, (device) => measureRow(device, workload, milliseconds)));
    }
    const progress = (text: string) => terminal.progress(text);
    const models =
      onlyModels || file !== undefined
        ? await onDevice(options, (device) => measureModels(device, milliseconds, progress))
        : null;
    terminal.progress(null);
    const limits = limitsOf(measured);
    const rows = measured.filter(({ id }) => wanted.some((workload) => workload.id === id));
    if (isJson) {
      const json = { ...machine.facts, limits, rows: rows.map((row) => rowJson(row, limits)) };
      terminal.out(JSON.stringify({ ...json, ...(models !== null && { models }) }, null, 2));
    } else {
      if (rows.length > 0) terminal.out(`\n${rowsText(rows, limits, terminal.width)}`);
      if (models !== null) terminal.out(`\n${modelsText(models, terminal.width)}`);
    }
    if (file !== undefined) writeReportFile(file, [{ ...machine.facts, bench: rows.map(reportedRow), models }]);
    return 0;
  },
};

/** The rows with these names; all, if there are none. */
function named(names: readonly string[]): readonly Workload[] {
  for (const name of names) {
    if (workloadIds.includes(name)) continue;
    throw new UsageError(`there is no row '${name}' (${nearOrAll(name, workloadIds)})`);
  }
  return names.length === 0 ? workloads : workloads.filter(({ id }) => names.includes(id));
}

/** The rows, and those that they are compared with. */
function withLimits(rows: readonly Workload[]): readonly Workload[] {
  return workloads.filter((workload) => rows.some(({ id, limits }) => [id, ...limits].includes(workload.id)));
}

async function measureRow(device: Device, workload: Workload, milliseconds: number): Promise<Row> {
  const { name, amounts, round, isOnGpu = true } = await workload.prepare(device);
  const measured = await measure(round, milliseconds);
  const gpu = isOnGpu ? await gpuTime(device, round, measured.repeats) : null;
  return { id: workload.id, name, amounts, measured, gpu };
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
