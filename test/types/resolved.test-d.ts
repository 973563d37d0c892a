/** Rules and kernels read operators whose fields have exact types, so that a misspelt field does not compile. */
import type { ResolvedTensorDesc } from 'node-directml';
import { describe, expectTypeOf, test } from 'vitest';
import type { Kernel, Tensors } from '#lib/compute/kernel.js';
import type { TensorView } from '#lib/compute/tensor-view.js';
import type { Drafted, OutputDraft } from '#lib/descriptors/drafted.js';
import type { Resolved } from '#lib/descriptors/resolved.js';
import { hasSizes, sameDataType } from '#lib/descriptors/checks.js';
import type { Rule } from '#lib/descriptors/rule.js';

describe('a resolved operator', () => {
  test('has fields of exact types', () => {
    expectTypeOf<Resolved<'gemm'>['cTensor']>().toEqualTypeOf<ResolvedTensorDesc | null>();
    expectTypeOf<Resolved<'gemm'>['transA']>().toEqualTypeOf<'none' | 'transpose'>();
    expectTypeOf<Resolved<'join'>['inputTensors']>().toEqualTypeOf<readonly ResolvedTensorDesc[]>();
    expectTypeOf<Resolved<'topK' | 'topK1'>['type']>().toEqualTypeOf<'topK' | 'topK1'>();
  });

  test('is narrowed by its type', () => {
    const read = (operator: Resolved): number => {
      if (operator.type === 'gather') return operator.indexDimensions;
      // @ts-expect-error: not all operators have it
      return operator.indexDimensions;
    };
    expectTypeOf(read).returns.toBeNumber();
  });
});

describe('rules', () => {
  test('name fields that their operators have', () => {
    const rule: Rule<'gatherNd' | 'gatherNd1'> = (operator) => {
      sameDataType(operator, 'inputTensor', 'outputTensor');
      // @ts-expect-error: misspelt
      sameDataType(operator, 'inputTensor', 'outputsTensor');
      // @ts-expect-error: a number
      hasSizes(operator, 'inputDimensionCount', [1], '');
      // @ts-expect-error: gatherNd does not have it
      return operator.batchDimensionCount;
    };
    expectTypeOf(rule).parameter(0).toEqualTypeOf<Drafted<'gatherNd' | 'gatherNd1'>>();
  });

  test('get complete inputs, and outputs that may still be incomplete', () => {
    expectTypeOf<Drafted<'gemm'>['cTensor']>().toEqualTypeOf<ResolvedTensorDesc | null>();
    expectTypeOf<Drafted<'gemm'>['outputTensor']>().toEqualTypeOf<ResolvedTensorDesc | OutputDraft>();
    expectTypeOf<Drafted<'split'>['outputTensors']>().toEqualTypeOf<readonly (ResolvedTensorDesc | OutputDraft)[]>();
    expectTypeOf<Drafted<'gemm'>['outputTensor']['sizes']>().toEqualTypeOf<readonly number[] | undefined>();
    expectTypeOf<Drafted>().not.toExtend<Resolved>();
  });
});

describe('kernels', () => {
  test('name their tensors', () => {
    expectTypeOf<Tensors<'gemm'>>().toEqualTypeOf<{
      readonly aTensor: TensorView;
      readonly bTensor: TensorView;
      readonly cTensor: TensorView | null;
      readonly outputTensor: TensorView;
    }>();
    expectTypeOf<Tensors<'split'>['outputTensors']>().toEqualTypeOf<readonly TensorView[]>();
    // @ts-expect-error: misspelt
    const kernel: Kernel<'cast'> = (_operator, { inputTensor, outputsTensor }) => [inputTensor, outputsTensor];
    expectTypeOf(kernel).toBeFunction();
  });
});
