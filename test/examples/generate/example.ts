/** What the tests use of examples/generate, which is JavaScript. */
import type { Device, Tensor } from 'node-directml';

export interface Model {
  readonly config: { readonly stop: readonly number[] };
}

export interface Decoder {
  readonly length: number;
  readonly context: number;
  readonly logits: Tensor<'float32'>;
  prefill(ids: readonly number[]): Promise<void>;
  next(): Promise<number>;
  clear(): void;
}

export interface LoadOptions {
  readonly dataType?: 'float32' | 'float16';
  readonly quantization?: 'int8' | 'int4';
}

export interface DecoderOptions {
  readonly context?: number;
  readonly temperature?: number;
  readonly topK?: number;
  readonly seed?: number;
}

export interface Tokenizer {
  encode(text: string): { readonly ids: number[] };
}

interface Example {
  loadModel(device: Device, folder: string, options?: LoadOptions): Promise<Model>;
  createDecoder(device: Device, model: Model, options?: DecoderOptions): Promise<Decoder>;
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

export const { loadModel, createDecoder, loadTokenizer, generate }: Example = {
  ...(await load('model.mjs')),
  ...(await load('decoder.mjs')),
  ...(await load('generate.mjs')),
};
