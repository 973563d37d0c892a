/** Reads ONNX models of any bytes. */
import { onnx } from 'onnx-proto';
import { expect, test } from 'vitest';
import { DirectMLError } from 'node-directml';
import { readModel } from '#lib/onnxruntime/model.js';
import { field } from '#lib/onnx/protobuf.js';
import { Random } from '../../random.js';
import { caught, gist } from '../../support/errors.js';
import { encoder } from '../../webnn/clients/models/encoder.js';
import { unnamedDimensions } from './models.js';

test('finds inputs, outputs, weights and nodes', () => {
  const model = readModel(encoder().bytes, 'model');
  expect(model.inputs).toEqual([
    { name: 'input_ids', elementType: 7, dims: ['batch', 7], unnamed: new Set() },
    { name: 'attention_mask', elementType: 7, dims: ['batch', 7], unnamed: new Set() },
  ]);
  expect(model.outputs.map(({ name, dims }) => [name, dims])).toEqual([
    ['last_hidden_state', undefined],
    ['pooler_output', undefined],
  ]);
  const { graph } = onnx.ModelProto.decode(encoder().bytes);
  expect([...model.weights]).toEqual(graph?.initializer?.map(({ name }) => name));
  expect(model.nodes).toEqual(
    graph?.node?.map(({ name, opType, input, output }) => ({ name, opType, inputs: input, outputs: output })),
  );
});

test('copies no model whose dimensions have names, and names the others', () => {
  const { bytes } = encoder();
  expect(readModel(bytes, 'model').bytes).toBe(bytes);
  const unnamed = unnamedDimensions(1, 1).bytes;
  const named = onnx.ModelProto.decode(readModel(unnamed, 'model').bytes);
  const input = named.graph?.input?.[0];
  expect(input?.type?.tensorType?.shape?.dim?.map(({ dimParam, dimValue }) => dimParam ?? Number(dimValue))).toEqual([
    'x[0]',
    'x[1]',
    4,
  ]);
  if (named.graph) named.graph.input = onnx.ModelProto.decode(unnamed).graph?.input ?? [];
  expect(named).toEqual(onnx.ModelProto.decode(unnamed));
});

test('weights that are also listed as inputs are no inputs', () => {
  const type = { tensorType: { elemType: 1, shape: { dim: [{ dimValue: 1 }, { dimValue: -1 }] } } };
  const graph = {
    input: [
      { name: 'x', type },
      { name: 'w', type },
    ],
    initializer: [{ name: 'w', dataType: 1, dims: [1, 2] }],
  };
  const model = readModel(onnx.ModelProto.encode({ graph }).finish(), 'model');
  expect(model.inputs.map(({ name, dims }) => [name, dims])).toEqual([['x', [1, 'x[1]']]]);
});

test('any bytes are a model or ERR_INVALID_FILE', () => {
  const { bytes } = unnamedDimensions(2, 2);
  const random = Random.of('bytes of models');
  for (let i = 0; i < 3000; i++) {
    const changed = bytes.slice(0, i % 3 === 0 ? random.int(0, bytes.length) : bytes.length);
    for (let n = random.int(0, 3); n > 0 && changed.length > 0; n--)
      changed[random.int(0, changed.length - 1)] = random.int(0, 255);
    try {
      readModel(changed, 'model');
    } catch (error) {
      if (!(error instanceof DirectMLError)) throw error;
      expect(error.code).toBe('ERR_INVALID_FILE');
    }
  }
});

test.each([
  ['of zeros', () => new Uint8Array(2 ** 22), 'a field has the number 0'],
  ['of many small fields', () => Buffer.alloc(2 ** 22, '0801', 'hex'), 'a message has more than 1048576 fields'],
  ['of graphs in each other', () => nested(100), 'there are more than 64 graphs in each other'],
])('a model %s is refused before it takes much memory or time', (_, make, why) => {
  const error = caught(() => readModel(make(), 'model'));
  expect(gist(error)).toEqual(['ERR_INVALID_FILE', 'model']);
  expect(error.message).toContain(`expected an ONNX model, given other bytes (${why})`);
});

test('graphs may be in each other as deep as onnxruntime allows', () => {
  expect(readModel(nested(33), 'model').nodes).toMatchObject([{ inputs: ['x'] }]);
});

function graphOf(content: Uint8Array): Uint8Array {
  return field(7, content);
}

/** A model with a node in a graph of a node, and so on. */
function nested(depth: number): Uint8Array {
  let node = field(1, field(1, 'x'));
  for (let i = 0; i < depth; i++) node = field(1, field(5, field(6, node)));
  return graphOf(node);
}
