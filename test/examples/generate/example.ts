/** What the tests use of examples/generate, which is JavaScript. */
import type { Device, Tensor } from 'node-directml';

interface Model {
  readonly config: { readonly stop: readonly number[] };
}

export interface Decoder {
  readonly length: number;
  readonly context: number;
  readonly logits: Tensor<'float32'>;
  prefill(ids: readonly number[]): Promise<void>;
  next(signal?: AbortSignal): Promise<number>;
  prepare(size: number): Promise<void>;
  clear(): void;
  readonly partSizes: readonly number[];
}

export interface LoadOptions {
  readonly dataType?: 'float32' | 'float16';
  readonly quantization?: 'int8' | 'int4';
}

interface Sampling {
  readonly temperature?: number;
  readonly topK?: number;
  readonly seed?: number;
}

interface DecoderOptions extends Sampling {
  readonly context?: number;
}

interface Tokenizer {
  encode(text: string): { readonly ids: number[] };
  decode(ids: readonly number[]): string;
}

interface Example {
  loadModel(device: Device, folder: string, options?: LoadOptions): Promise<Model>;
  quantized(matrix: Tensor<'float32'>, dataType: 'int8' | 'int4'): Promise<{ integers: Tensor; scales: Tensor<'float32'> }>;
  createDecoder(device: Device, model: Model, options?: DecoderOptions): Promise<Decoder>;
  createSampler(device: Device, logits: Tensor, token: Tensor, sampling: Sampling): Promise<() => void>;
  loadTokenizer(folder: string): Promise<Tokenizer>;
  generate(
    decoder: Decoder,
    tokenizer: Tokenizer,
    prompt: string,
    options?: { maxTokens?: number; stop?: readonly number[]; signal?: AbortSignal },
  ): AsyncGenerator<string, void>;
}

const file = (name: string) => new URL(`../../../examples/generate/${name}`, import.meta.url);

export const program = file('cli.mjs');

const load = (name: string) => import(file(name).href);

export const { loadModel, createDecoder, createSampler, loadTokenizer, quantized, generate }: Example = {
  ...(await load('model.mjs')),
  ...(await load('decoder.mjs')),
  ...(await load('sampling.mjs')),
  ...(await load('generate.mjs')),
};
