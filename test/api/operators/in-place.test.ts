/** Outputs in the memory of inputs, on each backend: every pair of the operator table, and the pairs that are refused and why. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { BufferBinding, CompiledOperator, DirectMLBuffer, OperatorDescriptor } from 'node-directml';
import { isOperatorType } from '#lib/operators/resolve.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { ConformanceCase } from '../../../checks/cases/case.js';
import { pairsOf, placedCase, type InPlace } from '../../../checks/conformance/in-place.js';
import { conform } from '../../../checks/conformance/runner.js';
import { generators } from '../../../checks/operators/cases.js';
import { Random } from '../../../checks/harness/random.js';
import { backends, deviceOn } from '../../support/devices.js';
import { caught } from '../../support/errors.js';
import { drawn } from '../../support/level.js';

const SEED = 20260104;
const CASES = drawn({ quick: 2, all: 4 });

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const operators = Object.keys(operatorTable)
  .filter(isOperatorType)
  .filter((type) => Object.keys(pairsOf(type)).length > 0);

test('75 operators have 97 pairs', () => {
  expect(operators).toHaveLength(75);
  expect(operators.flatMap((type) => Object.values(pairsOf(type)).flat())).toHaveLength(97);
});

/** Each pair by itself, and all pairs of the operator in one dispatch. */
function choicesOf(pairs: InPlace): InPlace[] {
  const single = Object.entries(pairs).flatMap(([output, inputs]) => inputs.map((input) => ({ [output]: [input] })));
  return single.length === 1 ? single : [...single, pairs];
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(operators)('%s computes the same in place as with separate tensors', async (type) => {
    const cases: ConformanceCase[] = [];
    for (const pairs of choicesOf(pairsOf(type))) {
      for (let index = 0; index < CASES; index++) {
        const random = Random.of(SEED, type, index);
        cases.push(placedCase(random, generators[type](random, index), pairs));
      }
    }
    const { failures, inPlace } = await conform({ directml: device(), reference: device() }, type, cases);
    expect(failures).toEqual([]);
    expect(inPlace).toBe(cases.length);
  });

  test('one tensor is both inputs and the output', async () => {
    using add = await device().compile({ type: 'elementWiseAdd', aTensor: float32(4), bTensor: float32(4) });
    const tensor = device().createTensor(float32(4), Float32Array.of(1, 2, 3, 4));
    add.dispatch({ aTensor: tensor, bTensor: tensor, outputTensor: tensor });
    add.dispatch({ aTensor: tensor, bTensor: tensor, outputTensor: tensor });
    expect([...(await tensor.read())]).toEqual([4, 8, 12, 16]);
  });

  test('gaps between elements stay unchanged', async () => {
    const strided = { ...float32(2, 2), strides: [3, 1] };
    using negate = await device().compile({ type: 'elementWiseNegate', inputTensor: strided, outputTensor: strided });
    const buffer = device().createBuffer(32);
    buffer.write(Float32Array.of(1, 2, 30, 3, 4, 50));
    negate.dispatch({ inputTensor: buffer, outputTensor: buffer });
    expect([...new Float32Array(await buffer.read(0, 24))]).toEqual([-1, -2, 30, -3, -4, 50]);
  });

  test.each([
    ['explicit packed strides and none', { sizes: [2, 3], strides: [3, 1] }, { sizes: [2, 3] }],
    ['strides of dimensions of one element', { sizes: [1, 3], strides: [0, 1] }, { sizes: [1, 3], strides: [7, 1] }],
  ])('%s are the same layout', async (_, input, output) => {
    using negate = await device().compile({
      type: 'elementWiseNegate',
      inputTensor: { dataType: 'float32', ...input },
      outputTensor: { dataType: 'float32', ...output },
    });
    const buffer = device().createBuffer(32);
    buffer.write(Float32Array.of(1, 2, 3));
    negate.dispatch({ inputTensor: buffer, outputTensor: buffer });
    expect([...new Float32Array(await buffer.read(0, 12))]).toEqual([-1, -2, -3]);
  });

  describe('refuses', () => {
    let buffer: DirectMLBuffer;
    let other: DirectMLBuffer;

    beforeAll(() => {
      buffer = device().createBuffer(256);
      other = device().createBuffer(256);
    });

    const at = (offset: number): BufferBinding => ({ buffer, offset });
    /** Dispatches with the given bindings; all other tensors have bytes of their own. */
    const refusal = async (descriptor: OperatorDescriptor, bindings: Readonly<Record<string, BufferBinding>>) => {
      using operator: CompiledOperator = await device().compile(descriptor);
      const rest = operatorTable[descriptor.type].fields
        .filter(({ name, role }) => role !== undefined && !(name in bindings))
        .map(({ name }, i) => [name, { buffer: other, offset: 16 * i }]);
      const { code, operator: type, message } = caught(() => operator.dispatch({ ...bindings, ...Object.fromEntries(rest) }));
      expect([code, type]).toEqual(['ERR_ALIASED_BINDING', descriptor.type]);
      return message;
    };
    const add = (a: object, b: object, output: object): OperatorDescriptor => ({
      type: 'elementWiseAdd',
      aTensor: { ...float32(2, 2), ...a },
      bTensor: { ...float32(2, 2), ...b },
      outputTensor: { ...float32(2, 2), ...output },
    });

    test('an operator that does not work in place', async () => {
      const softmax: OperatorDescriptor = { type: 'activationSoftmax', inputTensor: float32(2, 4), outputTensor: float32(2, 4) };
      expect(await refusal(softmax, { inputTensor: at(0), outputTensor: at(0) })).toBe(
        'activationSoftmax: outputTensor: expected bytes of its own, given bytes that are bound to inputTensor too ' +
          '(no output of activationSoftmax can be computed in place)',
      );
    });

    test('an input that is not paired with the output', async () => {
      const power: OperatorDescriptor = { type: 'elementWisePow', inputTensor: float32(4), exponentTensor: float32(4) };
      expect(await refusal(power, { exponentTensor: at(0), outputTensor: at(0) })).toBe(
        'elementWisePow: outputTensor: expected bytes of its own, or exactly those of inputTensor, given bytes that are bound ' +
          'to exponentTensor too (outputTensor cannot be computed in the place of exponentTensor)',
      );
      expect(await refusal(power, { inputTensor: at(0), exponentTensor: at(0), outputTensor: at(0) })).toContain(
        'in the place of exponentTensor',
      );
    });

    test('a moment of Adam written over the parameters', async () => {
      const weights = float32(4);
      const adam: OperatorDescriptor = {
        type: 'adamOptimizer',
        inputParametersTensor: weights,
        inputFirstMomentTensor: weights,
        inputSecondMomentTensor: weights,
        gradientTensor: weights,
        trainingStepTensor: { dataType: 'uint32', sizes: [1] },
        ...{ learningRate: 0.5, beta1: 0.5, beta2: 0.5, epsilon: 0 },
      };
      expect(await refusal(adam, { inputParametersTensor: at(0), outputFirstMomentTensor: at(0) })).toContain(
        'outputFirstMomentTensor: expected bytes of its own, or exactly those of inputFirstMomentTensor, given',
      );
    });

    test('other strides, a broadcast input among them', async () => {
      expect(await refusal(add({}, {}, { strides: [1, 2] }), { bTensor: at(0), outputTensor: at(0) })).toBe(
        'elementWiseAdd: outputTensor: expected bytes of its own, or exactly those of aTensor or bTensor, given bytes that are ' +
          'bound to bTensor too (in place both need the same strides: outputTensor has [1, 2], bTensor [2, 1])',
      );
      const broadcast = add({ strides: [0, 1] }, {}, {});
      expect(await refusal(broadcast, { aTensor: at(0), outputTensor: at(0) })).toContain('[2, 1], aTensor [0, 1])');
      // One of two inputs on the bytes of the output is enough.
      expect(await refusal(broadcast, { aTensor: at(0), bTensor: at(0), outputTensor: at(0) })).toContain('aTensor [0, 1])');
    });

    test('ranges that overlap without being equal', async () => {
      expect(
        await refusal(add({ sizes: [2, 3] }, { sizes: [2, 3] }, { sizes: [2, 3] }), { aTensor: at(16), outputTensor: at(32) }),
      ).toBe(
        'elementWiseAdd: outputTensor: expected bytes of its own, or exactly those of aTensor or bTensor, given bytes that are ' +
          'bound to aTensor too (in place both need the same bytes: outputTensor has 32 to 56, aTensor 16 to 40)',
      );
      const longer = add({ totalTensorSizeInBytes: 32 }, {}, {});
      expect(await refusal(longer, { aTensor: at(0), outputTensor: at(0) })).toContain(
        'outputTensor has 0 to 16, aTensor 0 to 32',
      );
    });
  });
});
