/** Makes the tensors of a file on a device. */
import { DirectMLError, type Device, type Tensor } from '../../index.js';
import { fromJsonText } from '../../graph/json-values.js';
import { UsageError } from '../command.js';
import type { RunFile, TensorInput } from './run-file.js';

/** By name; an array for a field with several tensors. */
export type Tensors = Readonly<Record<string, Tensor | readonly Tensor[]>>;

/** @param described returns what the descriptor or graph says about a tensor. */
export function createTensors(device: Device, tensors: RunFile['tensors'], described: (name: string) => unknown): Tensors {
  const create = (path: string, tensor: TensorInput, desc: unknown) => within(path, () => createTensor(device, tensor, desc));
  return Object.fromEntries(
    [...tensors].map(([name, given]): [string, Tensor | readonly Tensor[]] => {
      const path = `tensors.${name}`;
      const desc = described(name);
      if (!isList(given)) return [name, create(path, given, desc)];
      return [name, given.map((tensor, i) => create(`${path}[${i}]`, tensor, Array.isArray(desc) ? desc[i] : undefined))];
    }),
  );
}

function createTensor(device: Device, { data, ...own }: TensorInput, described: unknown): Tensor {
  const desc: unknown = { ...(typeof described === 'object' ? described : {}), ...own, flags: 'none' };
  const tensor = device.createTensor(anyDescription(desc));
  tensor.write(dataFor(tensor, data));
  return tensor;
}

/** The library checks all of it. */
function anyDescription(desc: unknown): Parameters<Device['createTensor']>[0] {
  if (isDescription(desc)) return desc;
  throw new UsageError('a tensor needs a dataType and sizes, here or in the descriptor');
}

function isDescription(desc: unknown): desc is Parameters<Device['createTensor']>[0] {
  return typeof desc === 'object' && desc !== null && 'dataType' in desc && 'sizes' in desc;
}

/** Numbers in arrays of any depth, one number for all elements, or base64 of the bytes. */
function dataFor({ elementSpan }: Tensor, data: unknown): ArrayBuffer | (number | bigint)[] {
  const value = fromJsonText(data);
  if (typeof value === 'number' || typeof value === 'bigint') return new Array<number | bigint>(elementSpan).fill(value);
  if (typeof value === 'string') return new Uint8Array(Buffer.from(value, 'base64')).buffer;
  if (!Array.isArray(value)) throw new UsageError('data is an array of numbers, one number for all elements, or base64');
  return value.flat(Infinity).map(elementOf);
}

function elementOf(given: unknown): number | bigint {
  const value = fromJsonText(given);
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  throw new UsageError(`data has an element that is no number: ${JSON.stringify(given)}`);
}

/** Runs `call`, and makes its errors name the tensor. */
function within<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${path}: ${error.message}`);
    if (!(error instanceof DirectMLError)) throw error;
    throw new DirectMLError(error.code, `${path}: ${error.message}`, { field: path, cause: error });
  }
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
