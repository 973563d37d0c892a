/** A node test of ONNX: a model, and sets of inputs with the outputs that it must give. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DirectMLError, type Device, type Tensor } from 'node-directml';
import { loadOnnx, type EmptyTensor, type OnnxInput, type OnnxModel, type OnnxResult } from 'node-directml/onnx';
import { elementTypeName, elementTypeOf } from '#lib/onnx/element-types.js';
import { elementsOf, HostData } from '#lib/onnx/operand.js';
import { fieldsOf } from '#lib/onnx/protobuf.js';
import { readTensor, type TensorProto } from '#lib/onnx/proto.js';
import { productOf } from '#lib/tensors/tensor-size.js';

/** `unsupported` is a typed error that says what is not supported. */
type Outcome = 'passed' | 'unsupported' | 'wrong' | 'failed';

export interface NodeResult {
  readonly name: string;
  readonly outcome: Outcome;
  readonly why: string;
}

/** The codes of what the device cannot have. */
const refusals = ['ERR_INVALID_FILE', 'ERR_DATA_TYPE', 'ERR_DIMENSION_COUNT'];

const relative = 1e-3;
const absolute = 1e-6;

/** Runs all sets of inputs of the test in a folder. */
export async function runNodeTest(device: Device, folder: string, name: string): Promise<NodeResult> {
  const result = (outcome: Outcome, why = ''): NodeResult => ({ name, outcome, why });
  let model: OnnxModel | null = null;
  try {
    model = await loadOnnx(device, join(folder, 'model.onnx'));
    for (const set of readdirSync(folder).filter((each) => each.startsWith('test_data_set_'))) {
      const difference = await runSet(device, model, join(folder, set));
      if (difference !== undefined) return result('wrong', difference);
    }
    return result('passed');
  } catch (error) {
    if (error instanceof DirectMLError && refusals.includes(error.code)) return result('unsupported', error.message);
    if (error instanceof UnsupportedData) return result('unsupported', error.message);
    return result('failed', error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    model?.dispose();
  }
}

class UnsupportedData extends Error {}

async function runSet(device: Device, model: OnnxModel, folder: string): Promise<string | undefined> {
  const inputs: Record<string, OnnxInput> = {};
  for (const [i, { name }] of model.inputs.entries()) {
    const file = join(folder, `input_${i}.pb`);
    if (existsSync(file)) inputs[name] = toDevice(device, readItem(readFileSync(file), model.inputs[i]?.type));
  }
  const outputs = await model.run(inputs);
  for (const [i, { name }] of model.outputs.entries()) {
    const file = join(folder, `output_${i}.pb`);
    if (!existsSync(file)) continue;
    const expected = readItem(readFileSync(file), model.outputs[i]?.type);
    const difference = await compare(outputs[name] ?? null, expected);
    if (difference !== undefined) return `${name}: ${difference}`;
  }
  return undefined;
}

type Data = TensorProto | readonly TensorProto[] | null;

/** A tensor, or a sequence or an optional of tensors. */
function readItem(bytes: Uint8Array, type: string | undefined): Data {
  if (type !== 'sequence' && type !== 'optional') return readTensor(bytes);
  // Both have tensors in field 3. An optional may have a sequence in field 5.
  const fields = [...fieldsOf(bytes)];
  const tensors = fields.filter(({ number }) => number === 3).map((field) => readTensor(field.bytes));
  if (type === 'sequence') return tensors;
  const sequence = fields.find(({ number }) => number === 5);
  return sequence === undefined ? (tensors[0] ?? null) : readItem(sequence.bytes, 'sequence');
}

function isList(data: Data): data is readonly TensorProto[] {
  return Array.isArray(data);
}

function toDevice(device: Device, data: Data): OnnxInput {
  if (data === null) return null;
  if (isList(data)) return data.map((each) => tensorOf(device, each));
  return tensorOf(device, data);
}

function tensorOf(device: Device, proto: TensorProto): Tensor | EmptyTensor {
  const type = elementTypeOf(proto.elementType);
  if (type === undefined) throw new UnsupportedData(`an input of ${elementTypeName(proto.elementType)}`);
  const sizes = proto.dims.length === 0 ? [1] : proto.dims;
  if (sizes.includes(0)) return { dataType: type.dataType, sizes };
  const tensor = device.createTensor({ dataType: type.dataType, sizes });
  tensor.buffer.write(Uint8Array.from(proto.bytes()));
  return tensor;
}

async function compare(given: OnnxResult, expected: Data): Promise<string | undefined> {
  if (expected === null) return given === null ? undefined : 'is not empty';
  if (isList(expected)) {
    const list = (Array.isArray(given) ? given : [given]) as readonly OnnxResult[];
    if (list.length !== expected.length) return `${list.length} tensors instead of ${expected.length}`;
    for (const [i, each] of expected.entries()) {
      const difference = await compare(list[i] ?? null, each);
      if (difference !== undefined) return `[${i}]: ${difference}`;
    }
    return undefined;
  }
  if (given === null || !('sizes' in given)) return 'is no tensor';
  const type = elementTypeOf(expected.elementType);
  if (type === undefined) throw new UnsupportedData(`an output of ${elementTypeName(expected.elementType)}`);
  const sizes = expected.dims.length === 0 ? [1] : expected.dims;
  if (given.dataType !== type.dataType) return `data type ${given.dataType} instead of ${type.dataType}`;
  if (given.sizes.join() !== sizes.join()) return `sizes [${given.sizes.join()}] instead of [${sizes.join()}]`;
  if (!('read' in given)) return undefined;
  const { buffer, byteOffset, byteLength } = await given.read();
  const numbers = (bytes: Uint8Array) => elementsOf({ ...type, dims: sizes, strides: null, data: new HostData(bytes) });
  const [own, right] = [numbers(new Uint8Array(buffer, byteOffset, byteLength)), numbers(expected.bytes())];
  given.dispose();
  for (let i = 0; i < productOf(sizes); i++) {
    if (!isNear(own[i] ?? NaN, right[i] ?? NaN, type.dataType)) return `[${i}] is ${own[i]} instead of ${right[i]}`;
  }
  return undefined;
}

function isNear(given: number | bigint, expected: number | bigint, dataType: string): boolean {
  if (Object.is(given, expected) || given === expected) return true;
  if (typeof given === 'bigint' || typeof expected === 'bigint' || !dataType.startsWith('float')) return false;
  const factor = dataType === 'float16' ? 2 : 1;
  return Math.abs(given - expected) <= factor * (absolute + relative * Math.abs(expected));
}
