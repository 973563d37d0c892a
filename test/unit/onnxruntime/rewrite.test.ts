/** Slices of opset 9 run on the device, and models that might change their meaning stay as they are. */
import { onnx } from 'onnx-proto';
import { Tensor } from 'onnxruntime-web/webgpu';
import { describe, expect, test } from 'vitest';
import { InferenceSession } from 'node-directml/onnxruntime';
import { field, numberField } from '#lib/onnx/protobuf.js';
import { rewriteSlices } from '#lib/onnxruntime/rewrite.js';
import { Random } from '../../random.js';
import { backends } from '../../support/devices.js';
import { expectedOf, read } from '../../webnn/clients/onnxruntime.js';

const { INTS, GRAPH, TENSOR } = onnx.AttributeProto.AttributeType;

interface Limits {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly axes?: readonly number[];
}

function sliceNode(limits: Limits, input: string, output: string): onnx.INodeProto {
  const attribute = Object.entries(limits).map(([name, ints]) => ({ name, type: INTS, ints }));
  return { name: `slice ${output}`, opType: 'Slice', input: [input], output: [output], attribute };
}

const sizes = [4, 5, 6];
const typeOf = (dims: readonly number[]) => ({
  tensorType: { elemType: 1, shape: { dim: dims.map((dimValue) => ({ dimValue })) } },
});

/** Computes y of x with these nodes. */
function modelOf(node: readonly onnx.INodeProto[], version = 9, more: Partial<onnx.IModelProto> = {}): Uint8Array {
  const graph = {
    name: 'slices',
    node: [...node],
    input: [{ name: 'x', type: typeOf(sizes) }],
    output: [{ name: 'y', type: { tensorType: { elemType: 1 } } }],
  };
  return onnx.ModelProto.encode({ irVersion: 4, opsetImport: [{ domain: '', version }], graph, ...more }).finish();
}

const x = new Tensor(
  'float32',
  Float32Array.from({ length: 120 }, (_, i) => i),
  sizes,
);

describe.each(backends)('on %s', (backend) => {
  test.each<Limits>([
    { starts: [1, 0, 2], ends: [3, 5, 4] },
    { starts: [1], ends: [2] },
    { starts: [-3, -2], ends: [-1, 1000], axes: [1, 2] },
    { starts: [1, -5], ends: [2 ** 53, -1], axes: [-1, 0] },
  ])('%j', async (limits) => {
    const bytes = modelOf([sliceNode(limits, 'x', 's'), { opType: 'Neg', input: ['s'], output: ['y'] }]);
    const session = await InferenceSession.create(bytes, { backend, fallback: 'error' });
    const [rewritten] = session.placement?.rewritten ?? [];
    expect(rewritten).toMatchObject({ name: 'slice s', opType: 'Slice', why: expect.stringContaining('opset 10') });
    const expected = await expectedOf({ bytes, feeds: { x }, dimensions: {}, tolerance: 0 });
    expect(await read(await session.run({ x }))).toEqual(expected);
    await session.release();
  });
});

test('onnxruntime itself replaces Shape, and an If with a constant condition', async () => {
  const branchOf = (opType: string, output: string) => ({
    name: output,
    node: [{ opType, input: ['x'], output: [output] }],
    output: [{ name: output, type: typeOf(sizes) }],
  });
  const isTrue = { name: 'value', type: TENSOR, t: { dataType: 9, rawData: Uint8Array.of(1) } };
  const branches = [
    { name: 'then_branch', type: GRAPH, g: branchOf('Sqrt', 'a') },
    { name: 'else_branch', type: GRAPH, g: branchOf('Neg', 'b') },
  ];
  const bytes = modelOf(
    [
      { opType: 'Constant', output: ['condition'], attribute: [isTrue] },
      { opType: 'If', input: ['condition'], output: ['chosen'], attribute: branches },
      { opType: 'Shape', input: ['chosen'], output: ['sizes'] },
      { opType: 'Reshape', input: ['chosen', 'sizes'], output: ['y'] },
    ],
    21,
  );
  const session = await InferenceSession.create(bytes, { backend: 'reference', fallback: 'allow' });
  expect(session.placement).toMatchObject({ graphs: 1, cpu: [], rewritten: [] });
  const { y } = await read(await session.run({ x }));
  expect(y?.slice(0, 5)).toEqual([0, 1, Math.SQRT2, Math.sqrt(3), 2].map((root) => expect.closeTo(root, 5) as number));
  await session.release();
});

const first = sliceNode({ starts: [1], ends: [2] }, 'x', 'y');

test('writes integers as they were, also with a field for each', () => {
  const attribute = (name: string, ...ints: readonly number[]) =>
    field(5, field(1, name), ...ints.map((int) => numberField(8, int)), numberField(20, 7));
  const node = field(1, field(1, 'x'), field(2, 'y'), field(4, 'Slice'), attribute('starts', 1, 300), attribute('ends', 3, 400));
  const { bytes } = rewriteSlices(Buffer.concat([field(7, node), field(8, numberField(2, 9))]));
  const { graph, opsetImport } = onnx.ModelProto.decode(bytes);
  expect(opsetImport.map(({ version }) => Number(version))).toEqual([10]);
  const [starts, ends, slice] = graph?.node ?? [];
  const values = [starts, ends].map((constant) => constant?.attribute?.[0]?.t?.int64Data?.map(Number));
  expect(values).toEqual([
    [1, 300],
    [3, 400],
  ]);
  expect(slice).toMatchObject({ opType: 'Slice', input: ['x', 'node-directml/0/starts', 'node-directml/0/ends'], output: ['y'] });
  expect(slice?.attribute).toEqual([]);
});

const changed: onnx.INodeProto = { opType: 'TopK', input: ['x'], output: ['a', 'b'] };
const branch = { name: 'branch', node: [changed] };

test.each<[string, Uint8Array]>([
  ['opset 8', modelOf([first], 8)],
  ['opset 10', modelOf([first], 10)],
  ['no Slice', modelOf([{ opType: 'Relu', input: ['x'], output: ['y'] }])],
  ['an operator that changed', modelOf([changed, first])],
  ['Upsample', modelOf([{ ...changed, opType: 'Upsample' }, first])],
  ['an operator of another domain', modelOf([{ opType: 'Relu', domain: 'com.microsoft', input: ['x'], output: ['a'] }, first])],
  ['a graph in a node', modelOf([{ opType: 'Relu', attribute: [{ name: 'g', type: GRAPH, g: branch }] }, first])],
  ['a name like those of added values', modelOf([{ opType: 'Relu', input: ['x'], output: ['node-directml/0/starts'] }, first])],
  ['a Slice without limits', modelOf([{ ...first, attribute: [] }])],
  ['a Slice with different numbers of limits', modelOf([sliceNode({ starts: [1], ends: [2, 3] }, 'x', 'y')])],
  ['a Slice with inputs', modelOf([{ ...first, input: ['x', 'y', 'z'] }])],
  ['two opsets', modelOf([first], 9, { opsetImport: [{ version: 9 }, { domain: 'ai.onnx', version: 9 }] })],
])('a model with %s stays as it is', (_, bytes) => {
  expect(rewriteSlices(bytes)).toEqual({ bytes, rewritten: [] });
});

test('any bytes are rewritten, or no message', () => {
  const bytes = modelOf([sliceNode({ starts: [1, 0], ends: [-1, 3], axes: [0, 1] }, 'x', 'y')]);
  const random = Random.of('bytes of slices');
  for (let i = 0; i < 2000; i++) {
    const broken = bytes.slice(0, i % 3 === 0 ? random.int(0, bytes.length) : bytes.length);
    for (let n = random.int(0, 2); n > 0 && broken.length > 0; n--) broken[random.int(0, broken.length - 1)] = random.int(0, 255);
    try {
      rewriteSlices(broken);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
});
