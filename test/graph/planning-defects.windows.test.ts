/**
 * Graphs that this DirectML.dll refuses because of how it plans their memory and layouts. A test fails once the DLL accepts its
 * graph, so that the workaround can be removed. docs/differences.md lists the graphs.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { encodeOperator } from '#lib/backends/directml/encode.js';
import { resolveDescriptor } from '#lib/operators/resolve.js';
import type { NativeDevice, NativeGraphDesc } from '../../binding.js';

const { binding, directory } = loadAddon();
const LOWERING = 'lib/backends/directml';
let device: NativeDevice;

beforeAll(async () => {
  device = await binding.createDevice({ addonDirectory: directory });
});
afterAll(() => device.dispose());

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes });
const encoded = (descriptor: object) => encodeOperator(resolveDescriptor(descriptor, '6.4').descriptor);

/**
 * Operators in a row: each reads the output of the one before it as its first input, and the last one writes the graph's output.
 */
function chain(operators: NativeGraphDesc['operators'], moreInputs: readonly number[] = []): NativeGraphDesc {
  return {
    operators,
    nodes: Uint32Array.from(operators, (_, node) => node),
    inputEdges: Uint32Array.of(0, 0, 0, ...moreInputs),
    outputEdges: Uint32Array.of(operators.length - 1, 0, 0),
    intermediateEdges: Uint32Array.from(operators.slice(1).flatMap((_, node) => [node, 0, node + 1, 0])),
    inputs: ['input', 'second input'],
    outputs: ['output'],
  };
}

function expectRefusal(graph: NativeGraphDesc, what: string, workaround: string): void {
  const message =
    `DirectML.dll ${device.info.directmlVersion} takes ${what}. ` +
    `Remove the workaround: ${LOWERING}/${workaround}. Then remove this test, and the row in docs/differences.md.`;
  const call = 'IDMLDevice1::CompileGraph';
  expect(() => device.checkGraph(graph, 0), message).toThrow(expect.objectContaining({ call, hresultName: 'E_INVALIDARG' }));
}

test('DirectML refuses a part of a tensor that the next node overwrites', () => {
  const negate = (count: number) => encoded({ type: 'elementWiseNegate', inputTensor: float32(count) });
  const part = encoded({ type: 'slice1', inputTensor: float32(64), inputWindowOffsets: [16], inputWindowSizes: [8] });
  const copy = encoded({ type: 'tile', inputTensor: float32(8), repeats: [1] });
  device.checkGraph(chain([negate(64), part]), 0);
  device.checkGraph(chain([negate(64), part, copy, negate(8)]), 0);
  expectRefusal(chain([negate(64), part, negate(8)]), 'parts that are overwritten', 'kept-outputs.ts');
});

test('DirectML refuses a part of a transposed input that the next node overwrites', () => {
  const negate = encoded({ type: 'elementWiseNegate', inputTensor: float32(1, 1, 2) });
  const part = (input: object) =>
    encoded({ type: 'slice1', inputTensor: input, inputWindowOffsets: [1, 2, 0], inputWindowSizes: [1, 1, 2] });
  device.checkGraph(chain([part(float32(3, 4, 2)), negate]), 0);
  const transposed = { ...float32(3, 4, 2), strides: [4, 1, 12] };
  device.checkGraph(chain([part(transposed)]), 0);
  expectRefusal(chain([part(transposed), negate]), 'parts of transposed inputs', 'kept-outputs.ts');
});

test('DirectML refuses an identity that changes the order of dimensions and leaves gaps', () => {
  const negate = encoded({ type: 'elementWiseNegate', inputTensor: float32(4, 5) });
  const last = encoded({ type: 'elementWiseNegate', inputTensor: { ...float32(5, 4), strides: [8, 1] } });
  const copy = (type: object, strides: readonly number[]) =>
    encoded({ ...type, inputTensor: { ...float32(5, 4), strides: [1, 5] }, outputTensor: { strides } });
  const identity = { type: 'elementWiseIdentity' };
  device.checkGraph(chain([negate, copy(identity, [8, 1])]), 0);
  device.checkGraph(chain([negate, copy({ type: 'tile', repeats: [1, 1] }, [8, 1]), last]), 0);
  expectRefusal(chain([negate, copy(identity, [8, 1]), last]), 'such an identity', 'kept-identities.ts');
});

test('DirectML refuses two identities in a row, the first of which changes the order of dimensions', () => {
  const negate = encoded({ type: 'elementWiseNegate', inputTensor: float32(48) });
  const copy = (type: object, strides: object) => encoded({ ...type, inputTensor: float32(2, 6, 4, 1), outputTensor: strides });
  const identity = { type: 'elementWiseIdentity' };
  const ordered = { strides: [4, 8, 1, 8] };
  const back = encoded({ ...identity, inputTensor: { ...float32(2, 6, 4, 1), ...ordered }, outputTensor: {} });
  device.checkGraph(chain([negate, copy({ type: 'tile', repeats: [1, 1, 1, 1] }, ordered), back]), 0);
  expectRefusal(chain([negate, copy(identity, ordered), back]), 'two such identities', 'kept-identities.ts');
});

test('DirectML refuses the same two identities with a scale of 1 and a bias of 0', () => {
  const bytes = (...sizes: number[]) => ({ dataType: 'uint8', sizes });
  const negate = encoded({ type: 'elementWiseBitNot', inputTensor: bytes(12) });
  const copy = (type: object) => encoded({ ...type, inputTensor: bytes(2, 3, 2, 1), outputTensor: { strides: [1, 2, 6, 12] } });
  const back = encoded({
    type: 'elementWiseIdentity',
    inputTensor: { ...bytes(2, 3, 2, 1), strides: [1, 2, 6, 12] },
    outputTensor: {},
  });
  const scaled = { type: 'elementWiseIdentity', scaleBias: { scale: 1, bias: 0 } };
  const last = encoded({ type: 'elementWiseBitNot', inputTensor: bytes(2, 3, 2, 1) });
  device.checkGraph(chain([negate, copy({ ...scaled, scaleBias: { scale: 2, bias: 0 } }), back, last]), 0);
  expectRefusal(chain([negate, copy(scaled), back, last]), 'such an identity', 'kept-identities.ts, isPlainIdentity');
});

test('DirectML refuses an identity that changes the order and has other sizes than the node before it', () => {
  const negate = (...sizes: number[]) => encoded({ type: 'elementWiseNegate', inputTensor: float32(...sizes) });
  const copy = (type: object) => encoded({ ...type, inputTensor: { ...float32(1, 3, 3, 3), strides: [27, 1, 9, 3] } });
  const identity = copy({ type: 'elementWiseIdentity' });
  const last = negate(1, 3, 3, 3);
  device.checkGraph(chain([negate(3, 3, 3), identity, last]), 0);
  device.checkGraph(chain([negate(27), copy({ type: 'tile', repeats: [1, 1, 1, 1] }), last]), 0);
  expectRefusal(chain([negate(27), identity, last]), 'such an identity', 'kept-identities.ts, takesOtherSizes');
});

test('DirectML refuses such an identity of 64-bit integers that fill blocks of 16 bytes, but not of 4 elements', () => {
  const negate = (...sizes: number[]) => encoded({ type: 'elementWiseNegate', inputTensor: { dataType: 'int64', sizes } });
  const turned = { dataType: 'int64', sizes: [2, 3, 1], strides: [1, 2, 6] };
  const copy = (type: object) => encoded({ ...type, inputTensor: turned });
  const identity = copy({ type: 'elementWiseIdentity' });
  device.checkGraph(chain([negate(3, 2), identity, negate(2, 3, 1)]), 0);
  device.checkGraph(chain([negate(2, 3), copy({ type: 'tile', repeats: [1, 1, 1] }), negate(2, 3, 1)]), 0);
  expectRefusal(chain([negate(2, 3), identity, negate(2, 3, 1)]), 'such an identity', 'kept-identities.ts, takesOtherSizes');
});

const scale = { quantizationType: 'scale', quantizationTensors: [float32(1, 1, 1)] };

test('DirectML refuses 4-bit tensors beside one with interleaved channels', () => {
  const quantize = (more: object, dataType: string) =>
    encoded({ type: 'quantize', inputTensor: { ...float32(4, 4, 1), ...more }, ...scale, outputTensor: { dataType } });
  const graph = (more: object, dataType: string) => chain([quantize(more, dataType)], [1, 0, 1]);
  const interleaved = { strides: [1, 4, 1] };
  device.checkGraph(graph({}, 'int4'), 0);
  device.checkGraph(graph(interleaved, 'int8'), 0);
  device.checkOperator(quantize(interleaved, 'int4'), 0);
  expectRefusal(graph(interleaved, 'int4'), 'these 4-bit tensors', 'four-bit-layout.ts');
});

test('DirectML refuses a 4-bit tensor that is two outputs of the graph', () => {
  const twice = (dataType: string) => {
    const quantize = encoded({ type: 'quantize', inputTensor: float32(4, 4, 1), ...scale, outputTensor: { dataType } });
    return { ...chain([quantize], [1, 0, 1]), outputEdges: Uint32Array.of(0, 0, 0, 0, 0, 1), outputs: ['output', 'again'] };
  };
  device.checkGraph(twice('int8'), 0);
  expectRefusal(twice('int4'), '4-bit tensors that are two outputs', 'lower-graph.ts, #isSecondFourBitOutput');
});

test('DirectML refuses a recurrent operator with one step whose single output has gaps', () => {
  const layer = (steps: number) => {
    const tensors = {
      inputTensor: float32(1, steps, 2, 2),
      weightTensor: float32(1, 1, 3, 2),
      recurrenceTensor: float32(1, 1, 3, 3),
    };
    return encoded({ type: 'rnn', ...tensors, outputSequenceTensor: {}, outputSingleTensor: { strides: [8, 8, 4, 1] } });
  };
  // Other nodes read both outputs as one dimension.
  const graph = (steps: number) => ({
    operators: [
      layer(steps),
      encoded({ type: 'tile', inputTensor: float32(steps * 6), repeats: [1] }),
      encoded({ type: 'tile', inputTensor: float32(7), repeats: [1] }),
    ],
    nodes: Uint32Array.of(0, 1, 2),
    inputEdges: Uint32Array.of(0, 0, 0, 1, 0, 1, 2, 0, 2),
    intermediateEdges: Uint32Array.of(0, 0, 1, 0, 0, 1, 2, 0),
    outputEdges: Uint32Array.of(1, 0, 0, 2, 0, 1),
    inputs: ['input', 'weight', 'recurrence'],
    outputs: ['sequence', 'single'],
  });
  device.checkGraph(graph(2), 0);
  const one = graph(1);
  const outputEdges = Uint32Array.of(...one.outputEdges, 0, 1, 2);
  device.checkGraph({ ...one, outputEdges, outputs: [...one.outputs, 'hidden'] }, 0);
  expectRefusal(one, 'such an operator', 'kept-outputs.ts');
});
