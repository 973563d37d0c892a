/** opSupportLimits is true: every operator builds with each data type and extreme rank that it names; on each backend. */
import { describe, expect, test } from 'vitest';
import { ml, MLGraphBuilder, type MLOperand, type MLOperandDataType, type MLTensorLimits } from 'node-directml/webnn';
import { backends, deviceOn } from '../support/devices.js';
import { samples, shapeOf, type Scene } from './samples.js';

/** Those of the specification. */
const dataTypes = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8', 'int4', 'uint4'] as const;
const notOperators = ['preferredInputLayout', 'maxTensorByteLength', 'input', 'constant', 'output'];
const operators = Object.getOwnPropertyNames(MLGraphBuilder.prototype).filter(
  (name) => !['constructor', 'input', 'constant', 'build'].includes(name),
);

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('lists every operator of MLGraphBuilder, and no other', async () => {
    const limits = (await ml.createContext(device())).opSupportLimits();
    expect(Object.keys(limits).sort()).toEqual([...operators, ...notOperators].sort());
    expect(Object.keys(samples).sort()).toEqual(operators.sort());
  });

  test('gives the ranks that the specification fixes', async () => {
    const { batchNormalization, conv2d, gemm, gru, instanceNormalization } = (await ml.createContext(device())).opSupportLimits();
    const ranksOf = (limits: object) =>
      Object.values(limits).map(({ rankRange: { min, max } }: MLTensorLimits) => (min === max ? min : [min, max]));
    expect(ranksOf(batchNormalization)).toEqual([[1, 8], 1, 1, 1, 1, [1, 8]]);
    expect(ranksOf(conv2d)).toEqual([4, 4, 1, 4]);
    expect(ranksOf(gemm)).toEqual([2, 2, [0, 2], 2]);
    expect(ranksOf(instanceNormalization)).toEqual([4, 1, 1, 4]);
    expect(ranksOf(gru)).toEqual([3, 3, 3, 2, 2, 3, 3, 4]);
  });

  test.each(operators)('%s refuses what it does not name', async (name) => {
    const context = await ml.createContext(device());
    const limits: Readonly<Record<string, unknown>> = { ...context.opSupportLimits() };
    const [first] = Object.values(limits[name] as Readonly<Record<string, MLTensorLimits>>);
    if (first === undefined) throw new Error('every operator has operands');
    const { min, max } = first.rankRange;
    const builder = new MLGraphBuilder(context);
    let inputs = 0;
    // What the sample leaves to its first operand. That of where is a condition, and leaves nothing.
    let [anyType, anyShape] = [false, false];
    const make = (dataType: MLOperandDataType, rank: number) => {
      let isFirst = true;
      const input: Scene['input'] = (shape, type) => {
        if (isFirst) [anyType, anyShape] = [type === undefined, shape === undefined];
        isFirst = false;
        return builder.input(`input${inputs++}`, { dataType: type ?? dataType, shape: shape ?? shapeOf(rank) });
      };
      return samples[name]?.({ builder, dataType, rank, input });
    };
    const [known = 'float32'] = first.dataTypes;
    const others = dataTypes.filter((dataType) => !first.dataTypes.includes(dataType));
    expect(others.length + first.dataTypes.length).toBe(dataTypes.length);
    make(known, max);
    if (anyType && name !== 'where')
      for (const dataType of others) expect(() => make(dataType, max), dataType).toThrow(TypeError);
    if (anyShape && min > 0) expect(() => make(known, min - 1), `rank ${min - 1}`).toThrow(TypeError);
    if (anyShape && max < 8) expect(() => make(known, max + 1), `rank ${max + 1}`).toThrow(TypeError);
    context.destroy();
  });

  test.each(operators)('%s', async (name) => {
    const context = await ml.createContext(device());
    const limits: Readonly<Record<string, unknown>> = { ...context.opSupportLimits() };
    const operands = limits[name] as Readonly<Record<string, MLTensorLimits>>;
    const [first] = Object.values(operands);
    const builder = new MLGraphBuilder(context);
    const outputs: Record<string, MLOperand> = {};
    const ranks = new Map<string, Set<number>>();
    let inputs = 0;
    for (const dataType of first?.dataTypes ?? []) {
      for (const rank of new Set([first?.rankRange.min ?? 0, first?.rankRange.max ?? 0])) {
        const input: Scene['input'] = (shape = shapeOf(rank), type = dataType) => {
          return builder.input(`input${inputs++}`, { dataType: type, shape });
        };
        const made = samples[name]?.({ builder, dataType, rank, input }) ?? [];
        for (const [i, operand] of [made].flat().entries()) {
          outputs[`${dataType} ${Object.keys(outputs).length}`] = operand;
          const output = ['output', 'outputs', `output${i}`].find((each) => Object.hasOwn(operands, each)) ?? '';
          expect(operands[output]?.dataTypes, output).toContain(operand.dataType);
          ranks.set(output, (ranks.get(output) ?? new Set()).add(operand.shape.length));
        }
      }
    }
    for (const [output, each] of ranks)
      expect({ min: Math.min(...each), max: Math.max(...each) }, output).toEqual(operands[output]?.rankRange);
    await expect(builder.build(outputs)).resolves.toBeInstanceOf(Object);
    context.destroy();
  });
});
