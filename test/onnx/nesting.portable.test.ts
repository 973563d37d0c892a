/** Graphs in nodes of graphs, and functions that call themselves. */
import { onnx } from 'onnx-proto';
import { expect, test } from 'vitest';
import { loadOnnx } from 'node-directml/onnx';
import { deviceOn } from '../support/devices.js';
import { refusalOf } from '../support/refusals.js';

const device = deviceOn('reference');
const { FLOAT, BOOL } = onnx.TensorProto.DataType;
const value = (name: string, elemType: number, ...sizes: number[]): onnx.IValueInfoProto => ({
  name,
  type: { tensorType: { elemType, shape: { dim: sizes.map((dimValue) => ({ dimValue })) } } },
});
const y = value('y', FLOAT, 2);
const toY = (opType: string, domain = ''): onnx.INodeProto => ({ opType, domain, input: ['x'], output: ['y'] });
const branch = (...node: onnx.INodeProto[]): onnx.IGraphProto => ({ name: 'branch', node, output: [y] });

function modelOf(graph: onnx.IGraphProto, functions: onnx.IFunctionProto[] = []): Uint8Array {
  const opsetImport = [
    { domain: '', version: 21 },
    { domain: 'own', version: 1 },
  ];
  const inputs = [value('x', FLOAT, 2), value('isFirst', BOOL)];
  return onnx.ModelProto.encode({ irVersion: 10, opsetImport, graph: { ...graph, input: inputs }, functions }).finish();
}

/** A graph in the first branch of a node of a graph, and so on. */
function nested(levels: number): onnx.IGraphProto {
  if (levels === 0) return branch(toY('Neg'));
  const { GRAPH } = onnx.AttributeProto.AttributeType;
  const attribute = [
    { name: 'then_branch', type: GRAPH, g: nested(levels - 1) },
    { name: 'else_branch', type: GRAPH, g: branch(toY('Identity')) },
  ];
  return branch({ opType: 'If', input: ['isFirst'], output: ['y'], attribute });
}

test('graphs may be 64 deep in each other', async () => {
  using model = await loadOnnx<'y'>(device(), modelOf(nested(64)));
  const isFirst = device().createTensor({ dataType: 'uint8', sizes: [1] }, [1]);
  const results = await model.run({ x: device().tensor([1, 2]), isFirst });
  expect(await results.y.read()).toEqual(Float32Array.of(-1, -2));
  expect(await refusalOf(() => loadOnnx(device(), modelOf(nested(65))))).toBe(
    'ERR_INVALID_FILE loadOnnx: model: expected an ONNX model, given other bytes (there are more than 64 graphs in each other)',
  );
});

test('a function that calls itself is an error', async () => {
  const opsetImport = [{ domain: 'own', version: 1 }];
  const itself = { name: 'F', domain: 'own', input: ['x'], output: ['y'], opsetImport, node: [toY('F', 'own')] };
  using model = await loadOnnx(device(), modelOf(branch(toY('F', 'own')), [itself]));
  const isFirst = device().createTensor({ dataType: 'uint8', sizes: [1] }, [1]);
  expect(await refusalOf(() => model.run({ x: device().tensor([1, 2]), isFirst }))).toBe(
    'ERR_INVALID_FILE node (F): functions call each other without end',
  );
});
