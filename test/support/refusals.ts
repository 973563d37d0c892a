/** What functions of arrays, and of layers, refuse. */
import type { Device, Tensor } from 'node-directml';
import { rejected } from './errors.js';

/** The functions of a module with arguments of any type. */
export type Loose<T> = {
  readonly [K in keyof T]: T[K] extends (...args: never[]) => unknown
    ? (...args: readonly unknown[]) => PromiseLike<unknown>
    : Loose<T[K]>;
};

/** What programs may be given. */
export interface Given {
  readonly d: Device;
  /** [2, 3] */
  readonly x: Tensor<'float32'>;
  /** [3] */
  readonly v: Tensor<'float32'>;
  /** [2] */
  readonly n: Tensor<'int32'>;
}

export function givenOn(d: Device): Given {
  const x = d.tensor([1, 2, 3, 4, 5, 6], { sizes: [2, 3] });
  return { d, x, v: d.tensor([1, 2, 3]), n: d.tensor([0, 1], { dataType: 'int32' }) };
}

/** The code and the message of a program's error. */
export async function refusalOf(program: () => unknown): Promise<string> {
  const { code, message } = await rejected((async () => program())());
  return `${code} ${message}`;
}
