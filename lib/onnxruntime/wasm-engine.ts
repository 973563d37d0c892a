/** Computes a model in onnxruntime-web, on the CPU. That package is loaded only for this. */
import Module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { env, Tensor as OrtTensor, type InferenceSession } from 'onnxruntime-common';
import { currentFile } from '../values/current-file.js';
import { DirectMLError } from '../values/errors.js';
import { readWhole } from '../files/file-reader.js';
import { readFiles, type ParsedModel } from '../onnx/load-onnx.js';
import type { OnnxValue } from '../onnx/types.js';
import { avoidStall } from '../webnn/avoid-stall.js';
import { newTensor, type Engine, type Outputs } from './engine.js';
import type { Settings } from './options.js';
import type { Placement } from './placement.js';
import type { Request } from './request.js';

type Web = typeof import('onnxruntime-web');

/** The most bytes of a message of protocol buffers. */
const mostBytes = 2 ** 31 - 1;

// Bundlers leave this call as it is. Not `{ createRequire }`: webpack warns about each call of it with an unknown argument.
const requireWeb = Module.createRequire(currentFile() ?? join(process.cwd(), 'index.js'));

// Otherwise transformers.js lets onnxruntime-web load its wasm from a server.
const folder = folderOfWeb();
if (folder !== undefined) env.wasm.wasmPaths ??= folder;

let last: Promise<unknown> = Promise.resolve();

/** Runs work after all earlier work: onnxruntime-web does one thing at a time, for all sessions, and fails or hangs otherwise. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(() => work());
  last = result.catch(() => undefined);
  return result;
}

export class WasmEngine implements Engine {
  readonly context = null;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly placement: Placement;
  readonly #web: Web;
  readonly #session: InferenceSession;

  private constructor(web: Web, session: InferenceSession, placement: Placement) {
    this.#web = web;
    this.#session = session;
    this.placement = placement;
    this.inputs = session.inputMetadata.map(valueOf);
    this.outputs = session.outputMetadata.map(valueOf);
  }

  /** @param why Why the model does not run on a device. */
  static async open(method: string, parsed: ParsedModel, { rest }: Settings, why: string): Promise<WasmEngine> {
    const web = loadWeb(method);
    const { source, proto } = parsed;
    const bytes = typeof source.model === 'string' ? await readWhole(method, source.model, mostBytes) : source.model;
    const externalData = await readFiles(parsed);
    const options = { ...rest, executionProviders: ['wasm'], externalData, preferredOutputLocation: 'cpu' } as const;
    const session = await inTurn(() => web.InferenceSession.create(bytes, options)).catch((cause: unknown) => {
      throw failed(method, cause);
    });
    const nodes = proto.graph.nodes.map(
      ({ name, opType }) => ({ name, opType, graph: null, operators: [], why, where: 'wasm' }) as const,
    );
    const cpu = nodes.map(({ name, opType }) => ({ name, opType, why }));
    return new WasmEngine(web, session, { backend: 'wasm', adapter: null, graphs: 0, operators: 0, nodes, cpu });
  }

  async run({ feeds, fetches, options }: Request): Promise<Outputs> {
    const given: Record<string, OrtTensor> = {};
    for (const [name, { type, content, dims }] of feeds) given[name] = newTensor(this.#web.Tensor, type, content, dims);
    const results = await inTurn(() => this.#session.run(given, [...fetches.keys()], options)).catch((cause: unknown) => {
      throw failed('session.run', cause);
    });
    return Object.entries(results).map(([name, { type, data, dims }]) => [name, newTensor(OrtTensor, type, data, dims)]);
  }

  dispose(): Promise<void> {
    return inTurn(() => this.#session.release());
  }
}

/** As a URL; undefined if the package is not installed. */
function folderOfWeb(): string | undefined {
  try {
    return new URL('.', pathToFileURL(requireWeb.resolve('onnxruntime-web'))).href;
  } catch {
    return undefined;
  }
}

function loadWeb(method: string): Web {
  avoidStall();
  try {
    const web = requireWeb('onnxruntime-web') as Web;
    // It supports only one thread in Node.js.
    web.env.wasm.numThreads = 1;
    return web;
  } catch (cause) {
    const message = `${method}: to compute on the CPU, install onnxruntime-web: npm install onnxruntime-web@1.30`;
    throw new DirectMLError('ERR_INVALID_ARGUMENT', message, { operator: method, cause });
  }
}

function valueOf(value: InferenceSession.ValueMetadata): OnnxValue {
  if (!value.isTensor) return { name: value.name, type: 'other', dims: undefined };
  return { name: value.name, type: value.type, dims: value.shape.map((dim) => (dim === -1 ? null : dim)) };
}

function failed(method: string, cause: unknown): DirectMLError {
  const text = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ');
  return new DirectMLError('ERR_INVALID_FILE', `${method}: onnxruntime-web: ${text}`, { operator: method, cause });
}
