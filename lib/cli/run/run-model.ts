/** `node-directml run model.onnx`: runs an ONNX model, and says where it ran and how long that took. */
import { createDevice } from '../../index.js';
import { DirectMLError, fieldError } from '../../errors.js';
import { printable } from '../../given.js';
import { toJsonValue } from '../../graph/json-values.js';
import type { InferenceSession, Placement, Tensor } from '../../onnxruntime/index.js';
import type { ModelValue } from '../../onnxruntime/onnx.js';
import { adapterNamed } from '../adapter-option.js';
import { backendNamed } from '../backend-option.js';
import type { Arguments } from '../command.js';
import { counted, hanging } from '../layout.js';
import { styled, type Terminal } from '../terminal.js';
import { firstElements, saveTensors } from './model-arrays.js';
import { makeFeeds, type Feed, type Feeds, type ModelInput } from './model-feeds.js';
import { elementText } from './print-tensor.js';
import { medianOf, timeText, whereOf, whereText, type Where } from './where.js';

/** How many elements of a tensor are shown. */
const shownElements = 8;
const defaultRuns = 10;

interface Ort extends Pick<typeof import('../../onnxruntime/index.js'), 'InferenceSession' | 'Tensor'> {
  readonly inputsOf: (path: string) => Promise<readonly ModelInput[]>;
}

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
  readonly outputs: Readonly<Record<string, Tensor>>;
}

/** Returns the exit code. */
export async function runModel(path: string, given: Arguments, terminal: Terminal): Promise<number> {
  const runs = given.numberOf('runs', 0, defaultRuns);
  const backend = backendNamed(given.valueOf('backend'));
  const ort = await loadOnnxruntime();
  if (ort === null) {
    const message = 'to run models, install onnxruntime-web beside this package: npm install onnxruntime-web@1.30';
    if (given.has('json')) terminal.out(JSON.stringify({ error: { message } }, null, 2));
    else terminal.error(`node-directml: ${message}`);
    return 1;
  }
  const made = await makeFeeds(await ort.inputsOf(path), given);
  const adapter = backend === 'reference' ? undefined : await adapterNamed(given.valueOf('adapter'));
  const device = await createDevice({ backend, adapter });
  try {
    const began = performance.now();
    terminal.progress('creating the session');
    // Errors are shown once, as errors; onnxruntime would also write them to the standard error.
    const options = { device, sizes: [made.sizes], fallback: 'allow', logSeverityLevel: 4 } as const;
    const session = await fromOnnxruntime(path, () => ort.InferenceSession.create(path, options));
    const create = performance.now() - began;
    try {
      const { outputs, ...times } = await measure(ort, session, made.feeds, path, runs, terminal);
      const result = { ...made, where: whereOf(device), placement: session.placement, times: { create, ...times }, outputs };
      const folder = given.valueOf('save');
      const saved = folder === undefined ? [] : await saveTensors(folder, outputs);
      terminal.progress(null);
      if (given.has('json')) terminal.out(JSON.stringify(resultJson(result, saved)));
      else print(result, saved, terminal);
      return 0;
    } finally {
      await session.release();
    }
  } finally {
    device.dispose();
  }
}

/** Null if onnxruntime-web is not installed. It is loaded only for models, because it is the program's own, and large. */
async function loadOnnxruntime(): Promise<Ort | null> {
  try {
    const [{ InferenceSession, Tensor }, { readModelFile }, { readModel }, { metadataOf }] = await Promise.all([
      import('../../onnxruntime/index.js'),
      import('../../onnxruntime/model-files.js'),
      import('../../onnxruntime/model.js'),
      import('../../onnxruntime/metadata.js'),
    ]);
    const typeOf = (value: ModelValue) => ({ type: undefined, ...metadataOf(value) }).type;
    const inputsOf = async (path: string) => {
      const { inputs } = readModel(await readModelFile('run', path), path);
      return inputs.map((value) => ({ name: value.name, dims: value.dims, type: typeOf(value) }));
    };
    return { InferenceSession, Tensor, inputsOf };
  } catch (error) {
    if (error instanceof Error && /^Cannot find (module|package) 'onnxruntime-web\b/.test(error.message)) return null;
    throw error;
  }
}

async function measure(
  { Tensor }: Ort,
  session: InferenceSession,
  given: Feeds['feeds'],
  path: string,
  runs: number,
  terminal: Terminal,
): Promise<Omit<Times, 'create'> & Pick<Result, 'outputs'>> {
  const feeds = Object.fromEntries(Array.from(given, ([name, feed]) => [name, newTensor(Tensor, feed)]));
  const run = async () => {
    const began = performance.now();
    const outputs = await fromOnnxruntime(path, () => session.run(feeds));
    return { outputs, time: performance.now() - began };
  };
  terminal.progress('first run');
  const { outputs, time: first } = await run();
  const times: number[] = [];
  while (times.length < runs) {
    terminal.progress(`run ${times.length + 1} of ${runs}`);
    times.push((await run()).time);
  }
  const [median, least] = runs === 0 ? [null, null] : [medianOf(times), Math.min(...times)];
  return { outputs, first, median, least, count: runs };
}

/** Its constructor has a signature for each data type, and none for all of them. */
function newTensor(type: Ort['Tensor'], { type: dataType, data, dims }: Feed): Tensor {
  const tensor: unknown = Reflect.construct(type, [dataType, data, dims]);
  if (tensor instanceof type) return tensor;
  throw new TypeError('onnxruntime-web made no tensor');
}

/** An error of onnxruntime becomes one of this package with the model's path. */
async function fromOnnxruntime<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof DirectMLError) throw cause;
    const why = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ');
    const place = { operator: 'run', field: path };
    throw fieldError('ERR_INVALID_FILE', place, 'a model that onnxruntime can run', 'one that fails', { why, cause });
  }
}

function print({ where, placement, times, feeds, assumed, outputs }: Result, saved: readonly string[], terminal: Terminal): void {
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
}

/** The nodes on the CPU are counted by their operators: there may be thousands. */
function placementText({ graphs, operators, cpu }: Placement): string {
  const counts = new Map<string, number>();
  for (const { opType } of cpu) counts.set(opType, (counts.get(opType) ?? 0) + 1);
  const kinds = Array.from(counts, ([opType, count]) => `${count} ${opType === '' ? 'of onnxruntime' : printable(opType)}`);
  const onCpu = cpu.length === 0 ? 'no node on the CPU' : `${counted(cpu.length, 'node')} on the CPU: ${kinds.join(', ')}`;
  return `${counted(graphs, 'graph')} with ${counted(operators, 'WebNN operator')}, ${onCpu}`;
}

/** `y float32 [2, 3]: 1, 2, 3, ...` */
function tensorText(name: string, tensor: Feed | Tensor): string {
  const elements = firstElements(tensor, shownElements).map((element) => elementOf(tensor.type, element));
  const values = [...elements, ...(tensor.data.length > shownElements ? ['...'] : [])].join(', ');
  return `${printable(name)} ${tensor.type} [${tensor.dims.join(', ')}]: ${values}`;
}

function elementOf(type: string, element: number | bigint | string): string {
  if (typeof element === 'string') return JSON.stringify(element);
  return elementText({ dataType: type === 'float16' || type === 'float32' ? type : 'float64' }, element);
}

function resultJson({ where, placement, times, feeds, assumed, outputs }: Result, saved: readonly string[]): object {
  const facts = (tensor: Feed | Tensor) => ({
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
