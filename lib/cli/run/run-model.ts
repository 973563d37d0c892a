/** `node-directml run model.onnx`: runs an ONNX model, and says where it ran and how long that took. */
import { createDevice } from '../../index.js';
import { contextFor } from '../../files/options.js';
import { printable } from '../../values/given.js';
import { toJsonValue } from '../../graph/json-values.js';
import { loadModel, parseModel } from '../../onnx/load-onnx.js';
import type { Inputs } from '../../onnx/inputs.js';
import type { LoadedModel } from '../../onnx/model.js';
import type { Placement as Followed } from '../../onnx/plan.js';
import { placementOf, type Placement } from '../../onnxruntime/placement.js';
import { adapterNamed } from '../adapter-option.js';
import { backendNamed } from '../backend-option.js';
import type { Arguments } from '../command.js';
import { counted, hanging } from '../layout.js';
import { styled, type Terminal } from '../terminal.js';
import { compareModel, type ModelComparison } from './compare-model.js';
import { toleranceOf, type Comparison } from './compare.js';
import { firstElements, inputsOf, outputOf, saveTensors, type ModelArray } from './model-arrays.js';
import { makeFeeds, type Feeds } from './model-feeds.js';
import { elementText } from './print-tensor.js';
import { medianOf, timeText, whereOf, whereText, type Where } from './where.js';

/** How many elements of a tensor are shown. */
const shownElements = 8;
const defaultRuns = 10;

/** In milliseconds; `median` and `least` of `count` further runs are null if there are none. */
interface Times {
  readonly create: number;
  readonly first: number;
  readonly median: number | null;
  readonly least: number | null;
  readonly count: number;
}

interface Result extends Feeds {
  readonly where: Where;
  readonly placement: Placement | null;
  readonly times: Times;
  readonly outputs: Readonly<Record<string, ModelArray>>;
}

/** Returns the exit code. */
export async function runModel(path: string, given: Arguments, terminal: Terminal): Promise<number> {
  const runs = given.numberOf('runs', 0, defaultRuns);
  const backend = backendNamed(given.valueOf('backend'));
  const tolerance = toleranceOf(given);
  const parsed = await parseModel('run', { model: path, externalData: null });
  const made = await makeFeeds(parsed.inputs, given);
  const adapter = backend === 'reference' ? undefined : await adapterNamed(given.valueOf('adapter'));
  const device = await createDevice({ backend, adapter });
  try {
    const began = performance.now();
    terminal.progress('loading the model');
    const model = await loadModel(contextFor('run', device), parsed);
    const feeds = inputsOf(made.feeds);
    await model.prepare({ operator: 'run', field: 'inputs' }, feeds);
    const create = performance.now() - began;
    try {
      const { outputs, followed, ...times } = await measure(model, feeds, runs, terminal);
      const { backend: name, adapter: on } = whereOf(device);
      const placement = placementOf(followed, { backend: name === 'reference' ? name : 'directml', adapter: on });
      const result = { ...made, where: whereOf(device), placement, times: { create, ...times }, outputs };
      const folder = given.valueOf('save');
      const saved = folder === undefined ? [] : await saveTensors(folder, outputs);
      terminal.progress(given.has('compare') ? 'comparing' : null);
      const compared = given.has('compare') ? await compareModel(device, parsed, made.feeds, outputs, tolerance) : null;
      terminal.progress(null);
      if (given.has('json'))
        terminal.out(JSON.stringify({ ...resultJson(result, saved), ...(compared !== null && { compared }) }, withoutBigints));
      else print(result, saved, compared, terminal);
      return compared?.every(isNear) === false ? 1 : 0;
    } finally {
      model.dispose();
    }
  } finally {
    device.dispose();
  }
}

async function measure(
  model: LoadedModel,
  feeds: Inputs,
  runs: number,
  terminal: Terminal,
): Promise<Omit<Times, 'create'> & Pick<Result, 'outputs'> & { readonly followed: Followed }> {
  const run = async () => {
    const began = performance.now();
    return model.compute({ operator: 'run', field: 'inputs' }, feeds, async (outputs, followed) => {
      const read = Array.from(outputs, async ([name, result]) => [name, await outputOf(name, result)] as const);
      return { outputs: Object.fromEntries(await Promise.all(read)), followed, time: performance.now() - began };
    });
  };
  terminal.progress('first run');
  const { outputs, followed, time: first } = await run();
  const times: number[] = [];
  while (times.length < runs) {
    terminal.progress(`run ${times.length + 1} of ${runs}`);
    times.push((await run()).time);
  }
  const [median, least] = runs === 0 ? [null, null] : [medianOf(times), Math.min(...times)];
  return { outputs, followed, first, median, least, count: runs };
}

function isNear({ outputs, error }: ModelComparison): boolean {
  return error === null && outputs.every((output) => output.isNear);
}

function withoutBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

function print(
  { where, placement, times, feeds, assumed, outputs }: Result,
  saved: readonly string[],
  compared: readonly ModelComparison[] | null,
  terminal: Terminal,
): void {
  const { width } = terminal;
  terminal.out(styled(terminal, 'dim', whereText(where)));
  if (placement !== null) terminal.out(hanging('', placementText(placement), width));
  const { create, first, median, least, count } = times;
  const further = median === null ? '' : `, then ${timeText(median)} (median of ${count}; best ${timeText(least ?? median)})`;
  terminal.out(hanging('', `created in ${timeText(create)}, first run ${timeText(first)}${further}`, width));
  terminal.out(`\n${styled(terminal, 'bold', 'Inputs')}`);
  for (const [name, feed] of feeds) terminal.out(hanging('  ', `${tensorText(name, feed)} ${feed.file ?? '(random)'}`, width));
  if (assumed.length > 0) {
    const names = assumed.map(printable);
    terminal.out(hanging('  ', `sizes not given, so 1: ${names.join(', ')} (--size ${names[0] ?? ''}=NUMBER)`, width));
  }
  terminal.out(`\n${styled(terminal, 'bold', 'Outputs')}`);
  for (const [name, tensor] of Object.entries(outputs)) terminal.out(hanging('  ', tensorText(name, tensor), width));
  for (const file of saved) terminal.out(`saved ${file}`);
  if (compared !== null) printComparisons(compared, terminal);
}

function printComparisons(compared: readonly ModelComparison[], terminal: Terminal): void {
  terminal.out(`\n${styled(terminal, 'bold', 'Compared')}`);
  if (compared.every(({ runtime }) => runtime === 'reference')) {
    const what = compared.length === 0 ? 'nothing' : 'the reference only';
    terminal.out(hanging('  ', `with ${what}: neither onnxruntime-node nor onnxruntime-web is installed here`, terminal.width));
  }
  for (const { runtime, outputs, error, first } of compared) {
    if (error !== null)
      terminal.out(hanging(`${styled(terminal, 'red', 'WRONG')} `, `${runtime} fails: ${printable(error)}`, terminal.width));
    for (const output of outputs) terminal.out(comparisonText(`${runtime}, ${printable(output.name)}`, output, terminal));
    if (first === null) continue;
    const node = first.node === '' ? first.opType : `${first.opType} '${printable(first.node)}'`;
    terminal.out(
      comparisonText(`the first node that differs is ${node}, ${printable(first.output.name)}`, first.output, terminal),
    );
  }
}

function comparisonText(what: string, { isNear, largest, tolerance, worst }: Comparison, terminal: Terminal): string {
  const mark = isNear ? styled(terminal, 'green', 'ok   ') : styled(terminal, 'red', 'WRONG');
  const unequal = isNear ? '' : ', the sizes differ';
  const place = worst === null ? unequal : `, element ${worst.element}: ${worst.expected} there, ${worst.given} here`;
  const difference = Number.isFinite(largest) ? largest.toPrecision(2) : 'infinite';
  return hanging(`${mark} `, `${what}: the largest difference is ${difference} (at most ${tolerance})${place}`, terminal.width);
}

/** The nodes on the CPU are counted by their operators: there may be thousands. */
function placementText({ graphs, operators, cpu }: Placement): string {
  const counts = new Map<string, number>();
  for (const { opType } of cpu) counts.set(opType, (counts.get(opType) ?? 0) + 1);
  const kinds = Array.from(counts, ([opType, count]) => `${count} ${printable(opType)}`);
  const onCpu = cpu.length === 0 ? 'no node on the CPU' : `${counted(cpu.length, 'node')} on the CPU: ${kinds.join(', ')}`;
  return `${counted(graphs, 'graph')} with ${counted(operators, 'operator')}, ${onCpu}`;
}

/** `y float32 [2, 3]: 1, 2, 3, ...` */
function tensorText(name: string, tensor: ModelArray): string {
  const elements = firstElements(tensor, shownElements).map((element) => elementOf(tensor.type, element));
  const values = [...elements, ...(tensor.data.length > shownElements ? ['...'] : [])].join(', ');
  return `${printable(name)} ${tensor.type} [${tensor.dims.join(', ')}]: ${values}`;
}

function elementOf(type: string, element: number | bigint): string {
  return elementText({ dataType: type === 'float16' || type === 'float32' ? type : 'float64' }, element);
}

function resultJson({ where, placement, times, feeds, assumed, outputs }: Result, saved: readonly string[]): object {
  const facts = (tensor: ModelArray) => ({
    dataType: tensor.type,
    sizes: tensor.dims,
    first: firstElements(tensor, shownElements).map(toJsonValue),
  });
  return {
    ...where,
    placement,
    milliseconds: times,
    inputs: Object.fromEntries(Array.from(feeds, ([name, feed]) => [name, { ...facts(feed), file: feed.file }])),
    sizesNotGiven: assumed,
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, tensor]) => [name, facts(tensor)])),
    saved,
  };
}
