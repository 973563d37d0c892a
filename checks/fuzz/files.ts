/** Draws files of any kind, loads them, and watches which files are opened. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice, DirectMLError, type Device, type Tensor } from 'node-directml';
import { loadNpy, loadSafetensors } from 'node-directml/files';
import { InferenceSession, Tensor as ModelTensor } from 'node-directml/onnxruntime';
import { runCli } from '../harness/run-cli.js';
import { Random } from '../harness/random.js';
import { canLink, makePipe } from '../malformed/files/special-files.js';
import { withExternalWeights } from '../networks/small-models.js';
import * as contents from './file-contents.js';
import { place, type Site } from './file-places.js';
import type { Action } from './make.js';
import { isWithin, Openings } from './openings.js';
import type { RoundOrder, RoundResult, Watcher } from './round.js';
import { Tracker } from './tracker.js';
import { WrongResult } from './wrong-result.js';

const SETTLE_MS = 20_000;
/** With this many pending calls, the next one waits for all of them. Node.js has four threads for files. */
const MOST_PENDING = 8;

/** What the files of a round share. */
interface Round {
  readonly device: Device;
  readonly root: string;
  readonly pipe: string | null;
  readonly hasLinks: boolean;
}

export async function runFiles({ seed, from, count }: RoundOrder, watcher: Watcher): Promise<RoundResult> {
  const tracker = new Tracker((failure) => watcher.fail(failure));
  const onUnhandled = (error: unknown) => tracker.reportForeign(from + count - 1, 'unhandled', error);
  process.on('unhandledRejection', onUnhandled).on('uncaughtException', onUnhandled);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'node-directml-fuzz-')));
  const device = await createDevice({ backend: 'reference' });
  await loadOnnxruntime();
  const pipe = process.platform === 'win32' ? null : makePipe(join(root, 'pipe'));
  const round = { device, root, pipe, hasLinks: canLink(root) };
  const openings = new Openings();
  try {
    for (let index = from; index < from + count; index++) {
      const action = draw(Random.of(seed, 'files', index), round, index);
      watcher.begin(index, action.label);
      tracker.run(index, action);
      if (tracker.pending >= MOST_PENDING || Random.of(seed, 'wait', index).chance(0.5)) await tracker.settle(SETTLE_MS);
      for (const path of openings.take()) {
        if (isForeign(round, path)) watcher.fail({ index, kind: 'wrong', text: `${action.label} opens ${path}` });
      }
    }
    await tracker.settle(SETTLE_MS);
    tracker.reportUnsettled();
  } finally {
    openings.end();
    device.dispose();
    rmSync(root, { recursive: true });
    process.off('unhandledRejection', onUnhandled).off('uncaughtException', onUnhandled);
  }
  return { succeeded: tracker.succeeded, refused: tracker.refused, opened: 1, resident: process.memoryUsage.rss() };
}

/** onnxruntime-web reads its own files when the first session is created. */
async function loadOnnxruntime(): Promise<void> {
  const session = await InferenceSession.create(withExternalWeights(), { backend: 'wasm' }).catch(() => null);
  await session?.release();
}

/** True for a file that is neither in the folder of a model nor the program's own. */
function isForeign({ root }: Round, path: string): boolean {
  if (isWithin(root, path)) return !/^\d+[\\/](folder|blobs)[\\/]/.test(path.slice(root.length + 1));
  return !isWithin(process.cwd(), path);
}

function draw(random: Random, round: Round, index: number): Action {
  const kind = random.pick(tickets);
  const base = join(round.root, String(index));
  const secretName = kind === 'index' ? 'secret.safetensors' : 'secret.bin';
  const { pipe, hasLinks } = round;
  const site = { folder: join(base, 'folder'), blobs: join(base, 'blobs'), secret: join(base, secretName), pipe, hasLinks };
  for (const made of [site.folder, site.blobs]) mkdirSync(made, { recursive: true });
  writeFileSync(site.secret, contents.secretFiles[secretName]);
  return kinds[kind].make(random, round, site, secretName);
}

interface Kind {
  readonly weight: number;
  readonly make: (random: Random, round: Round, site: Site, secretName: string) => Action;
}

const kinds = {
  safetensors: {
    weight: 3,
    make: (random, round, site) =>
      loading(random, site, 'a.safetensors', contents.safetensors(random), [], (path) => loadAll(round, path)),
  },
  npy: {
    weight: 3,
    make: (random, { device }, site) =>
      loading(random, site, 'a.npy', contents.npy(random), [], async (path) => showNothing([await loadNpy(device, path)])),
  },
  index: {
    weight: 5,
    make(random, round, site, secretName) {
      const own = ['a.safetensors', 'b.safetensors', 'below/c.safetensors'];
      const names = contents.namesOf(random, own, site, secretName);
      const bytes = random.chance(0.5) ? contents.indexOf(names, random) : contents.index(random);
      const others = own.map((name) => [name, contents.shard(random)] as const);
      return loading(random, site, 'a.json', bytes, others, (path) => loadAll(round, path));
    },
  },
  model: {
    weight: 6,
    make(random, { device }, site, secretName) {
      const options: InferenceSession.SessionOptions = random.chance(0.5) ? { device, fallback: 'allow' } : { backend: 'wasm' };
      return onModel(random, site, secretName, (path) => runModel(path, options));
    },
  },
  'run FILE.onnx': {
    weight: 1,
    make(random, _round, site, secretName) {
      const input = join(site.folder, 'x.npy');
      const placed = random.chance(0.5) ? place(random, site, input, contents.npy(random), true) : null;
      const options = placed === null ? [] : ['--input', `x=${input}`];
      return onModel(random, site, secretName, (path) => runCommand(path, '--runs', '0', ...options));
    },
  },
  'run FILE.json': {
    weight: 1,
    make: (random, _round, site) => loading(random, site, 'a.json', contents.work(random), [], (path) => runCommand(path)),
  },
} as const satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;
const tickets = (Object.keys(kinds) as KindName[]).flatMap((name) => new Array<KindName>(kinds[name].weight).fill(name));

/** Puts the file and others in their places, and loads it. */
function loading(
  random: Random,
  site: Site,
  name: string,
  bytes: Uint8Array,
  others: readonly (readonly [name: string, bytes: Uint8Array])[],
  load: (path: string) => Promise<void>,
): Action {
  const path = join(site.folder, name);
  const placed = [place(random, site, path, bytes, true)];
  for (const [other, content] of others) placed.push(place(random, site, join(site.folder, other), content, false));
  return {
    label: `${path}: ${placed.map(({ what }) => what).join(', ')}`,
    outcome: 'any',
    run() {
      const result = load(path);
      for (const { meanwhile } of placed) meanwhile?.();
      return result;
    },
  };
}

function onModel(random: Random, site: Site, secretName: string, load: (path: string) => Promise<void>): Action {
  const own = ['w.bin', 'w', 'below/w.bin'];
  const bytes = contents.model(contents.namesOf(random, own, site, secretName), random);
  return loading(
    random,
    site,
    'a.onnx',
    bytes,
    own.map((name) => [name, contents.weights(random)]),
    load,
  );
}

async function loadAll({ device }: Round, path: string): Promise<void> {
  await showNothing(Object.values(await loadSafetensors(device, path)));
}

/** The tensors have no byte of a secret file. */
async function showNothing(tensors: readonly Tensor[]): Promise<void> {
  for (const tensor of tensors) {
    const bytes = await tensor.buffer.read();
    tensor.dispose();
    if (Buffer.from(bytes).includes(Buffer.from(contents.secretBytes))) throw new WrongResult('bytes of another file');
  }
}

async function runModel(path: string, options: InferenceSession.SessionOptions): Promise<void> {
  const session = await InferenceSession.create(path, options);
  try {
    const results = await session.run({ x: new ModelTensor('float32', new Float32Array(4), [4]) });
    for (const { data } of Object.values(results)) {
      if (data instanceof Float32Array && data.includes(contents.secretNumber)) throw new WrongResult('a number of another file');
    }
  } finally {
    await session.release();
  }
}

async function runCommand(...args: readonly string[]): Promise<void> {
  const { code, out, error } = await runCli(['run', ...args, '--backend', 'reference']);
  if (`${out}${error}`.includes(String(contents.secretNumber))) throw new WrongResult('a number of another file is printed');
  if (code !== 0) throw new DirectMLError('ERR_INVALID_FILE', error.slice(0, 100));
}
