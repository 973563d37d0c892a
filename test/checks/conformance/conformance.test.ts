/** Checks which differences the conformance comparison accepts, and how its cases are generated. */
import { createDevice, type OperatorDescriptor, type TensorDesc } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { rules } from '#lib/operators/generated/rules.js';
import { base64, readCase, writeCase, type ConformanceCase } from '../../../checks/cases/case.js';
import { operatorTypes } from '../../../checks/operators/cases.js';
import { sourcesOf } from '../../../checks/operators/sources.js';
import { compare } from '../../../checks/conformance/compare.js';
import { enlarged } from '../../../checks/conformance/enlarge.js';
import { smallestFailure } from '../../../checks/conformance/failures.js';
import { isTensor } from '../../../checks/cases/layout.js';
import { summary, totals } from '../../../checks/conformance/print.js';
import { casesOf, conform, DIRECTML as sides } from '../../../checks/conformance/runner.js';
import { withoutSubnormals } from '../../../checks/conformance/subnormals.js';
import { elementsOf } from '../../../checks/tolerance/elements.js';
import { toleranceOf } from '../../../checks/operators/tolerances.js';
import { termsOf } from '../../../checks/tolerance/terms.js';
import { deviceOn } from '../../support/devices.js';
import { outputOf } from '../../support/tools.js';
import { wrongDevice } from '../../support/wrong-device.js';

const single: TensorDesc = { dataType: 'float32', sizes: [1] };
const half: TensorDesc = { dataType: 'float16', sizes: [1] };

type Unary = Extract<OperatorDescriptor, { type: 'elementWiseExp' | 'elementWiseAbs' | 'activationIdentity' }>;

/** Compares the result `actual` for the input `x` with the reference's result `expected`. */
function judge(type: Unary['type'], tensor: TensorDesc, x: ArrayBuffer, expected: ArrayBuffer, actual: ArrayBuffer) {
  const test: ConformanceCase = {
    descriptor: { type, inputTensor: tensor, outputTensor: tensor },
    data: { inputTensor: base64(new Uint8Array(x)) },
  };
  const bytes = new Uint8Array(expected);
  const row = toleranceOf(test, 'outputTensor');
  const element = elementsOf(test, tensor, bytes, {});
  return compare(tensor, bytes, new Uint8Array(actual), { row, terms: termsOf(test.descriptor), element }, sides);
}

const floats = (...values: number[]): ArrayBuffer => Float32Array.from(values).buffer;
const halves = (...bits: number[]): ArrayBuffer => Uint16Array.from(bits).buffer;

describe('the comparison', () => {
  it('requires bitwise equality for operators that only move elements', () => {
    const { mismatch } = judge('activationIdentity', single, floats(1), floats(0), floats(-0));
    expect(mismatch).toMatch(/^\[0\], offset 0: .*\(1 element differs\)$/);
  });

  it('expects what DirectML computes, because it is always right', () => {
    const { mismatch } = judge('activationIdentity', single, floats(1), floats(2), floats(3));
    expect(mismatch).toContain('expected 3 (0x40400000) from DirectML, given 2 (0x40000000) from the reference');
  });

  it('accepts either zero, and no other value, if the sign of zero is unspecified', () => {
    expect(judge('elementWiseAbs', single, floats(-0), floats(0), floats(-0)).mismatch).toBeNull();
    expect(judge('elementWiseAbs', single, floats(1), floats(1), floats(1 + 2 ** -23)).mismatch).not.toBeNull();
  });

  it('gives the error in ULP and the allowed error', () => {
    const near = judge('elementWiseExp', single, floats(0), floats(1), floats(1 + 5 * 2 ** -23));
    expect(near).toEqual({ mismatch: null, worst: { ulp: 5, allowed: 8.5 } });
    expect(judge('elementWiseExp', single, floats(0), floats(1), floats(1 + 9 * 2 ** -23)).mismatch).not.toBeNull();
  });

  it('allows a larger error for an exponential with a large argument', () => {
    const { mismatch, worst } = judge('elementWiseExp', single, floats(0), floats(1024), floats(1024 * (1 + 2 ** -20)));
    expect(mismatch).toBeNull();
    expect(worst?.allowed).toBeCloseTo(8.5 + 0.85 * 10);
  });

  it('counts an infinite float16 as the value after the largest, unless an input is infinite', () => {
    expect(judge('elementWiseExp', half, halves(0x498c), halves(0x7bff), halves(0x7c00)).mismatch).toBeNull();
    expect(judge('elementWiseExp', half, halves(0x498c), halves(0x7bfd), halves(0x7c00)).mismatch).not.toBeNull();
    expect(judge('elementWiseExp', half, halves(0x7c00), halves(0x7c00), halves(0x7bff)).mismatch).not.toBeNull();
  });

  it('accepts a zero for a float32 subnormal result or input, but not for a float16 one', () => {
    expect(judge('elementWiseAbs', single, floats(-1e-40), floats(1e-40), floats(0)).mismatch).toBeNull();
    expect(judge('elementWiseAbs', half, halves(0x8003), halves(3), halves(0)).mismatch).not.toBeNull();
    expect(judge('activationIdentity', single, floats(1e-40), floats(1e-40), floats(0)).mismatch).not.toBeNull();
    const sign = { type: 'elementWiseSign', inputTensor: single, outputTensor: single } as const;
    const test = { descriptor: sign, data: { inputTensor: base64(new Uint8Array(floats(-1e-40))) } };
    expect(withoutSubnormals(test)?.data).toEqual({ inputTensor: base64(new Uint8Array(floats(-0))) });
    const bytes = new Uint8Array(floats(-1));
    const tolerance = { row: toleranceOf(test, 'outputTensor'), terms: 1, element: elementsOf(test, single, bytes, {}) };
    const zero = new Uint8Array(floats(0));
    expect(compare(single, bytes, zero, tolerance, sides).mismatch).not.toBeNull();
    expect(compare(single, bytes, zero, { ...tolerance, flushed: zero }, sides).mismatch).toBeNull();
  });

  it('does not accept NaN for a number', () => {
    expect(judge('elementWiseExp', single, floats(0), floats(1), floats(NaN)).mismatch).not.toBeNull();
    expect(judge('elementWiseExp', single, floats(NaN), floats(NaN), floats(1)).mismatch).not.toBeNull();
  });
});

describe('a failing case', () => {
  const reference = deviceOn('reference');

  it.each(['convolutionInteger', 'matrixMultiplyInteger', 'maxPooling', 'gather', 'join', 'elementWiseAdd', 'lstm'] as const)(
    'of %s is made smaller',
    async (operator) => {
      using other = await createDevice({ backend: 'reference' });
      const devices = { directml: wrongDevice(other), reference: reference() };
      const report = await conform(devices, operator, casesOf(operator, 5, 3));
      const smallest = await smallestFailure(devices, report, {});
      const { descriptor, ...options } = readCase(smallest?.json ?? '');
      const tensors: unknown[] = Object.values(descriptor).flat();
      for (const tensor of tensors.filter(isTensor)) {
        expect([descriptor, tensor.sizes.filter((size) => size > 4)]).toEqual([descriptor, []]);
        expect(tensor).not.toHaveProperty('strides');
      }
      expect(Object.keys(options)).toEqual(['data']);
      expect(smallest).toMatchObject({ part: 'DirectML', message: expect.stringContaining('given') });
    },
  );

  it('names the rule and the kernel, and the command with the flags of the same comparison', async () => {
    const descriptor = { type: 'elementWisePow', inputTensor: single };
    const json = JSON.stringify({ descriptor, data: {} });
    const { rule, kernel } = sourcesOf('elementWisePow');
    const flags = ['--backend', 'reference', '--onnxruntime'];
    await expect(outputOf('conformance', '--case', json, ...flags)).rejects.toThrow(
      `
  rule ${rule}
  kernel ${kernel}
  npm run conformance -- --case '${json}' --backend reference --onnxruntime
`,
    );
  });

  it('is counted as compared with nothing if nothing else computes it', async () => {
    const device = reference();
    const devices = { directml: device, reference: device };
    const report = await conform(devices, 'gather', casesOf('gather', 5, 3));
    expect(summary(report)).toMatch(/^gather +3 cases, compared with nothing$/);
    expect(totals([report])).toBe('1 operator, 3 cases, 0 mismatches\n3 of the cases compared with nothing');
  });
});

describe('generated cases', () => {
  it('exist for every operator', () => {
    expect(operatorTypes.toSorted()).toEqual(Object.keys(rules).toSorted());
  });

  it('depend only on seed, operator and number', () => {
    const few = [...casesOf('elementWiseExp', 7, 3)];
    const more = [...casesOf('elementWiseExp', 7, 30)];
    expect(more.slice(0, 3)).toEqual(few);
    expect([...casesOf('elementWiseExp', 8, 3)]).not.toEqual(few);
    expect([...casesOf('elementWiseLog', 7, 3)].map(({ data }) => data)).not.toEqual(few.map(({ data }) => data));
  });

  it('are sometimes in place, and large ones are stored compactly', () => {
    const cases = [...casesOf('elementWiseAdd', 7, 400)].filter(({ inPlace }) => inPlace !== undefined);
    expect(cases.length).toBeGreaterThan(50);
    const large = cases.filter(({ enlargedTo }) => enlargedTo === 2 ** 20);
    expect(large.length).toBeGreaterThan(0);
    for (const test of large) {
      expect(writeCase(test).length).toBeLessThan(50_000);
      expect(readCase(writeCase(test))).toEqual(test);
    }
    expect([...casesOf('gemm', 7, 30)].every(({ inPlace }) => inPlace === undefined)).toBe(true);
  });

  it('are enlarged by repeating one axis, in any layout', () => {
    const small: ConformanceCase = {
      descriptor: {
        type: 'elementWiseAdd',
        aTensor: { dataType: 'float32', sizes: [1, 2], strides: [1, 1] },
        bTensor: { dataType: 'float32', sizes: [1, 2], strides: [1, 0] },
        outputTensor: { dataType: 'float32', sizes: [1, 2], strides: [4, 2] },
      },
      data: { aTensor: base64(new Uint8Array(floats(1, 2))), bTensor: base64(new Uint8Array(floats(3))) },
    };
    expect(enlarged(small, 4)).toEqual({
      descriptor: {
        type: 'elementWiseAdd',
        aTensor: { dataType: 'float32', sizes: [1, 4], strides: [1, 1] },
        bTensor: { dataType: 'float32', sizes: [1, 4], strides: [1, 0] },
        outputTensor: { dataType: 'float32', sizes: [1, 4], strides: [8, 2] },
      },
      data: { aTensor: base64(new Uint8Array(floats(1, 2, 1, 2))), bTensor: base64(new Uint8Array(floats(3))) },
    });
  });
});
