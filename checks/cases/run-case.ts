/**
 * Runs one case on one device through the public API. Returns the bytes of every output, including gaps. Each tensor has a buffer
 * of its own; in place, an output shares that of an input.
 */
import type { Device, Tensor, TensorDesc } from 'node-directml';
import { fromBase64, type ConformanceCase } from './case.js';
import { isTensor, tensorSize } from './layout.js';
import { withoutEqualDefaults } from './defaults.js';

export interface Output {
  readonly name: string;
  readonly tensor: TensorDesc;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The byte that fills outputs before the dispatch. It shows when a gap is overwritten, and unwritten bytes are the same everywhere.
 */
export const BACKGROUND = 0xa5;

export function background(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(size).fill(BACKGROUND);
}

export function runCase(device: Device, test: ConformanceCase): Promise<Output[]> {
  return run(device, test, false);
}

/** Runs the case with its in-place outputs bound to the buffers of their inputs. */
export function runInPlace(device: Device, test: ConformanceCase): Promise<Output[]> {
  return run(device, test, true);
}

async function run(device: Device, test: ConformanceCase, isInPlace: boolean): Promise<Output[]> {
  const { descriptor, data, flags } = test;
  const disposables: { dispose(): void }[] = [];
  try {
    const bindings: Record<string, Tensor | (Tensor | null)[] | null> = {};
    const initializationInputs: Record<string, Tensor | (Tensor | null)[]> = {};
    const outputs: { name: string; tensor: TensorDesc; read(): Promise<Uint8Array<ArrayBuffer>> }[] = [];
    const tensorOn = (tensor: TensorDesc, bytes: Uint8Array<ArrayBuffer>) => {
      const buffer = device.createBuffer(Math.ceil(bytes.length / 16) * 16);
      disposables.push(buffer);
      buffer.write(bytes);
      return { buffer, tensor: device.createTensor({ ...tensor, flags: 'none' }, { buffer }) };
    };
    const outputOn = (name: string, description: TensorDesc) => {
      const size = tensorSize(description);
      const { buffer, tensor } = tensorOn(description, backgroundOf(test, name, size));
      outputs.push({ name, tensor: description, read: async () => new Uint8Array(await buffer.read(0, size)) });
      return tensor;
    };
    for (const [name, value] of Object.entries(descriptor) as [string, unknown][]) {
      const bytes = data[name];
      if (Array.isArray(value) && value.every(isTensor) && Array.isArray(bytes)) {
        const tensors = value.map((tensor, i) => tensorOn(tensor, fromBase64(String(bytes[i]))).tensor);
        bindings[name] = tensors.map((tensor, i) => (isOwned(value[i]) ? null : tensor));
        initializationInputs[name] = tensors.map((tensor, i) => (isOwned(value[i]) ? tensor : null));
      } else if (isTensor(value) && typeof bytes === 'string') {
        (isOwned(value) ? initializationInputs : bindings)[name] = tensorOn(value, fromBase64(bytes)).tensor;
      } else if (Array.isArray(value) && value.length > 0 && value.every(isTensor)) {
        bindings[name] = value.map((tensor, i) => outputOn(`${name}[${i}]`, tensor));
      } else if (isTensor(value)) {
        bindings[name] = outputOn(name, value);
      }
    }
    for (const [output, inputs] of Object.entries(isInPlace ? (test.inPlace ?? {}) : {})) {
      for (const input of inputs) bindings[input] = bindings[output] ?? null;
    }
    // Fields that equal their default are left out, so that the default itself is tested.
    const compiled = await device.compile(withoutEqualDefaults(descriptor), { ...flags, initializationInputs });
    disposables.push(compiled);
    compiled.dispatch(bindings);
    return await Promise.all(outputs.map(async ({ name, tensor, read }) => ({ name, tensor, bytes: await read() })));
  } finally {
    for (const disposable of disposables) disposable.dispose();
  }
}

/** The bytes of an output before the dispatch. Those of the input that it overwrites in place also fill its own buffer. */
function backgroundOf({ data, inPlace }: ConformanceCase, output: string, size: number): Uint8Array<ArrayBuffer> {
  const text = data[inPlace?.[output]?.[0] ?? ''];
  return typeof text === 'string' ? fromBase64(text) : background(size);
}

function isOwned(tensor: TensorDesc | undefined): boolean {
  return tensor?.flags === 'ownedByDml';
}
