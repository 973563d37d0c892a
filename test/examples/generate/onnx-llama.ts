/** The network of a tiny model as ONNX operators, without a cache: it computes all positions of a text at once. */
import { ModelNodes, type Value } from '../../../checks/networks/onnx-nodes.js';
import { onnxruntime } from '../../../checks/networks/onnxruntime.js';
import { epsilon, scaling, theta, vocabulary, widthOf, type Shape, type Weights } from './tiny-model.js';

/** The scores of all tokens after each token of a text, as onnxruntime's CPU computes them. */
export async function scoresInOnnxruntime(shape: Shape, weights: Weights, ids: readonly number[]): Promise<Float32Array[]> {
  const { InferenceSession } = onnxruntime();
  const model = new Llama(shape, weights, ids).model();
  const session = await InferenceSession.create(model, { executionProviders: ['cpu'], logSeverityLevel: 4 });
  const [scores] = Object.values(await session.run({}));
  await session.release();
  const data = scores?.data;
  if (!(data instanceof Float32Array)) throw new TypeError('onnxruntime gave no floats');
  return ids.map((_, i) => data.subarray(i * vocabulary, (i + 1) * vocabulary));
}

class Llama extends ModelNodes {
  readonly #shape: Shape;
  readonly #weights: Weights;
  readonly #ids: readonly number[];

  constructor(shape: Shape, weights: Weights, ids: readonly number[]) {
    super();
    this.#shape = shape;
    this.#weights = weights;
    this.#ids = ids;
  }

  model(): Uint8Array {
    const ids = this.integers(...this.#ids);
    let x = this.node('Gather', [this.#weight('model.embed_tokens'), ids], { axis: 0 });
    const tables = this.#rotation();
    for (let i = 0; i < this.#shape.layers; i++) {
      const layer = `model.layers.${i}`;
      const normal = this.#norm(x, `${layer}.input_layernorm`);
      x = this.node('Add', [x, this.#product(this.#attention(normal, layer, tables), `${layer}.self_attn.o_proj`)]);
      const middle = this.#norm(x, `${layer}.post_attention_layernorm`);
      const gate = this.#product(middle, `${layer}.mlp.gate_proj`);
      const swish = this.node('Mul', [gate, this.node('Sigmoid', [gate])]);
      const gated = this.node('Mul', [swish, this.#product(middle, `${layer}.mlp.up_proj`)]);
      x = this.node('Add', [x, this.#product(gated, `${layer}.mlp.down_proj`)]);
    }
    const last = this.#norm(x, 'model.norm');
    const scores = this.#product(last, this.#shape.tied ? 'model.embed_tokens' : 'lm_head');
    const type = { tensorType: { elemType: this.elementType('float32') } };
    return this.encoded({ irVersion: 11, version: 23 }, { name: 'llama', output: [{ name: scores, type }] });
  }

  #weight(name: string): Value {
    const weight = this.#weights.get(`${name}.weight`);
    if (weight === undefined) throw new Error(`no ${name}`);
    return this.constant('float32', weight.sizes, weight.data);
  }

  #float(value: number): Value {
    return this.constant('float32', [], Float32Array.of(value));
  }

  #product(x: Value, name: string): Value {
    return this.node('MatMul', [x, this.node('Transpose', [this.#weight(name)], { perm: [1, 0] })]);
  }

  #norm(x: Value, name: string): Value {
    const mean = this.node('ReduceMean', [this.node('Mul', [x, x]), this.integers(-1)], { keepdims: 1 });
    const root = this.node('Sqrt', [this.node('Add', [mean, this.#float(epsilon)])]);
    return this.node('Mul', [this.node('Div', [x, root]), this.#weight(name)]);
  }

  #attention(normal: Value, layer: string, tables: { readonly cos: Value; readonly sin: Value }): Value {
    const { heads, keyValueHeads, headSize } = this.#shape;
    const length = this.#ids.length;
    const split = (name: string, count: number) => {
      const rows = this.#product(normal, `${layer}.self_attn.${name}`);
      const separate = this.node('Reshape', [rows, this.integers(length, count, headSize)]);
      return this.node('Transpose', [separate], { perm: [1, 0, 2] });
    };
    const group = Array.from({ length: heads }, (_, head) => Math.floor(head / (heads / keyValueHeads)));
    const repeat = (value: Value) => this.node('Gather', [value, this.integers(...group)], { axis: 0 });
    const query = this.#rotated(split('q_proj', heads), tables);
    const key = repeat(this.#rotated(split('k_proj', keyValueHeads), tables));
    const value = repeat(split('v_proj', keyValueHeads));
    const products = this.node('MatMul', [query, this.node('Transpose', [key], { perm: [0, 2, 1] })]);
    const scaled = this.node('Div', [products, this.#float(Math.sqrt(headSize))]);
    const mask = Float32Array.from({ length: length * length }, (_, i) => (i % length > Math.floor(i / length) ? -Infinity : 0));
    const likely = this.node('Softmax', [this.node('Add', [scaled, this.constant('float32', [length, length], mask)])], {
      axis: -1,
    });
    const attended = this.node('Transpose', [this.node('MatMul', [likely, value])], { perm: [1, 0, 2] });
    return this.node('Reshape', [attended, this.integers(length, widthOf(this.#shape))]);
  }

  #rotation(): { readonly cos: Value; readonly sin: Value } {
    const { headSize } = this.#shape;
    const table = (f: (angle: number) => number) => {
      const data = new Float32Array(this.#ids.length * headSize);
      for (let i = 0; i < data.length; i++) data[i] = f(Math.floor(i / headSize) * this.#frequency(i % (headSize / 2)));
      return this.constant('float32', [this.#ids.length, headSize], data);
    };
    return { cos: table(Math.cos), sin: table(Math.sin) };
  }

  #frequency(i: number): number {
    const frequency = 1 / theta ** ((2 * i) / this.#shape.headSize);
    if (!this.#shape.llama3) return frequency;
    const wavelength = (2 * Math.PI) / frequency;
    const { factor, low_freq_factor: low, high_freq_factor: high, original_max_position_embeddings: original } = scaling;
    if (wavelength < original / high) return frequency;
    if (wavelength > original / low) return frequency / factor;
    const smooth = (original / wavelength - low) / (high - low);
    return ((1 - smooth) * frequency) / factor + smooth * frequency;
  }

  #rotated(x: Value, { cos, sin }: { readonly cos: Value; readonly sin: Value }): Value {
    const half = this.#shape.headSize / 2;
    const part = (from: number) => this.node('Slice', [x, this.integers(from), this.integers(from + half), this.integers(-1)]);
    const swapped = this.node('Concat', [this.node('Neg', [part(half)]), part(0)], { axis: -1 });
    return this.node('Add', [this.node('Mul', [x, cos]), this.node('Mul', [swapped, sin])]);
  }
}
