/** Runs one case on one device through the public API and gives back every output's bytes, gaps included. */
import type { Device, TensorDesc } from 'node-directml';
import { fromBase64, type ConformanceCase } from './case.js';
import { tensorSize } from './layout.js';

export interface Output {
  readonly name: string;
  readonly tensor: TensorDesc;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What outputs hold before the dispatch, so that a byte written into a gap shows. */
const BACKGROUND = 0xa5;

export async function runCase(device: Device, { descriptor, data }: ConformanceCase): Promise<Output[]> {
  const compiled = await device.compile(descriptor);
  const buffers: { dispose(): void }[] = [compiled];
  try {
    const bindings: Record<
      string,
      ReturnType<Device['createTensor']> | ReturnType<Device['createTensor']>[]
    > = {};
    const outputs: { name: string; tensor: TensorDesc; read(): Promise<Uint8Array<ArrayBuffer>> }[] = [];
    const tensorOn = (tensor: TensorDesc, bytes: Uint8Array<ArrayBuffer>) => {
      const buffer = device.createBuffer(Math.ceil(bytes.length / 16) * 16);
      buffers.push(buffer);
      buffer.write(bytes);
      return { buffer, tensor: device.createTensor(tensor, { buffer }) };
    };
    for (const [name, value] of Object.entries(descriptor) as [string, unknown][]) {
      const bytes = data[name];
      if (Array.isArray(value) && value.every(isTensor) && Array.isArray(bytes)) {
        bindings[name] = value.map((tensor, i) => tensorOn(tensor, fromBase64(String(bytes[i]))).tensor);
      } else if (isTensor(value) && typeof bytes === 'string') {
        bindings[name] = tensorOn(value, fromBase64(bytes)).tensor;
      } else if (isTensor(value)) {
        const size = tensorSize(value);
        const { buffer, tensor } = tensorOn(value, new Uint8Array(size).fill(BACKGROUND));
        bindings[name] = tensor;
        outputs.push({ name, tensor: value, read: async () => new Uint8Array(await buffer.read(0, size)) });
      }
    }
    compiled.dispatch(bindings);
    return await Promise.all(
      outputs.map(async ({ name, tensor, read }) => ({ name, tensor, bytes: await read() })),
    );
  } finally {
    for (const buffer of buffers) buffer.dispose();
  }
}

function isTensor(value: unknown): value is TensorDesc {
  return typeof value === 'object' && value !== null && 'dataType' in value && 'sizes' in value;
}
