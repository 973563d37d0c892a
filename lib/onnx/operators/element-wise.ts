/** Operators that compute each element from those at its place. */
import { isFloat, largestFloat32 } from '../../tensors/data-types.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { scalar } from '../make-data.js';
import { boolean, type Node } from '../node.js';
import { broadcast, numbersOf, type Operand } from '../operand.js';
import { activationOperators, orInDoubles } from './activation.js';
import { convertOperators } from './convert.js';
import { combineInMemory, constantOf, testInMemory } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { extremeOf, orderKeys } from './order.js';
import { power } from './power.js';
import { choose } from './tensor-helpers.js';

/** The functions of float64, which DirectML lacks. */
const doubles: Readonly<Partial<Record<OperatorType, (a: number, b: number) => number | boolean>>> = {
  elementWiseAdd: (a, b) => a + b,
  elementWiseSubtract: (a, b) => a - b,
  elementWiseMultiply: (a, b) => a * b,
  elementWiseDivide: (a, b) => a / b,
  elementWiseMax: Math.max,
  elementWiseMin: Math.min,
  elementWiseLogicalEquals: (a, b) => a === b,
  elementWiseLogicalGreaterThan: (a, b) => a > b,
  elementWiseLogicalGreaterThanOrEqual: (a, b) => a >= b,
  elementWiseLogicalLessThan: (a, b) => a < b,
  elementWiseLogicalLessThanOrEqual: (a, b) => a <= b,
};

/** An operator of two tensors that broadcast. */
export function combined(node: Node, type: OperatorType, a: Operand, b: Operand): Operand {
  const inDoubles = doubles[type];
  if (a.dataType === 'float64' && inDoubles !== undefined) return combineInMemory(node, a, b, inDoubles);
  return type === 'elementWiseMax' || type === 'elementWiseMin' ? extremeOf(node, type, a, b) : node.arithmetic(type, a, b);
}

function binary(type: OperatorType): Lowering {
  return (node) => combined(node, type, node.input(0), node.input(1));
}

/** An operator of any number of tensors, two by two. */
function chain(type: OperatorType): (node: Node) => Operand {
  return (node) => node.inputs.slice(1).reduce((result, operand) => combined(node, type, result, operand), node.input(0));
}

/** The result is what ONNX calls bool. */
function test(type: OperatorType): Lowering {
  return (node) => {
    const [a, b, inDoubles] = [node.input(0), node.input(1), doubles[type]];
    if (a.dataType === 'float64' && inDoubles !== undefined) return combineInMemory(node, a, b, inDoubles, 'uint8', true);
    const [left, right] = type === 'elementWiseLogicalEquals' ? [a, b] : [orderKeys(node, a), orderKeys(node, b)];
    return node.combine(type, left, right, boolean);
  };
}

/** DirectML's arcsine is wrong by up to 6.8e-5, also near 0; its arctangent is right there. */
function arcSine(node: Node): Operand {
  const input = node.input(0);
  const cosine = node.arithmetic('elementWiseMultiply', node.scaled(input, -1, 1), node.scaled(input, 1, 1));
  return node.map('elementWiseAtan', node.arithmetic('elementWiseDivide', input, node.map('elementWiseSqrt', cosine)));
}

function absolute(node: Node, input: Operand): Operand {
  return input.dataType.startsWith('uint') ? input : node.map('elementWiseAbs', input);
}

/** Limits that are the same in each run are fields. If the lower one is greater, all elements become the upper one. */
function clip(node: Node): Operand {
  const input = node.input(0);
  const attribute = (name: string, byDefault: number) => scalar(input.dataType, node.float(name, byDefault));
  const [low, high] =
    node.opset < 11
      ? [attribute('min', -largestFloat32), attribute('max', largestFloat32)]
      : [node.optional(1), node.optional(2)];
  const [min, max] = [limitOf(low, -Infinity), limitOf(high, Infinity)];
  if (min <= max && (input.dataType === 'float32' || input.dataType === 'float16')) {
    return node.map('elementWiseClip1', input, { minMaxDataType: input.dataType, min, max });
  }
  const raised = low === undefined ? input : combined(node, 'elementWiseMax', input, node.reshape(low, []));
  return high === undefined ? raised : combined(node, 'elementWiseMin', raised, node.reshape(high, []));
}

/** NaN if it differs from run to run. */
function limitOf(limit: Operand | undefined, byDefault: number): number {
  if (limit === undefined) return byDefault;
  const constant = constantOf(limit);
  return constant === undefined ? NaN : (numbersOf(constant)[0] ?? NaN);
}

/** JavaScript computes the remainder of floats, because DirectML's is that of a rounded quotient. */
function mod(node: Node): Operand {
  const [a, b] = [node.input(0), node.input(1)];
  const truncates = node.flag('fmod');
  if (!isFloat(a.dataType)) return node.arithmetic(truncates ? 'elementWiseModulusTruncate' : 'elementWiseModulusFloor', a, b);
  if (!truncates) throw new RangeError('floats need the attribute fmod');
  return combineInMemory(node, a, b, (dividend, divisor) => dividend % divisor);
}

function bitShift(node: Node): Operand {
  const direction = node.text('direction', '');
  if (direction !== 'LEFT' && direction !== 'RIGHT') throw new RangeError('the direction is neither LEFT nor RIGHT');
  const type = direction === 'LEFT' ? 'elementWiseBitShiftLeft' : 'elementWiseBitShiftRight';
  return node.arithmetic(type, node.input(0), node.input(1));
}

function isNaN(node: Node): Operand {
  const input = node.input(0);
  if (input.dataType === 'float64') return testInMemory(node, input, Number.isNaN);
  return node.add('elementWiseIsNan', { inputTensor: input, outputTensor: boolean(input.dims) });
}

function isInfinity(node: Node): Operand {
  const input = node.input(0);
  const positive = node.flag('detect_positive', true);
  const negative = node.flag('detect_negative', true);
  if (!positive && !negative) return broadcast({ ...scalar('uint8', 0), isBool: true }, input.dims);
  if (input.dataType === 'float64') {
    return testInMemory(node, input, (element) => (positive && element === Infinity) || (negative && element === -Infinity));
  }
  const infinityMode = !negative ? 'positive' : !positive ? 'negative' : 'either';
  return node.add('elementWiseIsInfinity', { inputTensor: input, outputTensor: boolean(input.dims), infinityMode });
}

/** While nothing is trained, nothing is dropped. */
function dropout(node: Node): readonly Operand[] {
  const input = node.input(0);
  const [ratio, training] = [node.optional(1), node.optional(2)];
  const isTraining = training !== undefined && node.number(training) !== 0;
  if (isTraining && (ratio === undefined || node.number(ratio) !== 0)) {
    throw node.unsupported('training_mode', 'true', 'what is dropped would be random');
  }
  const kept = node.opset < 10 ? scalar(input.dataType, 1) : { ...scalar('uint8', 1), isBool: true };
  return [input, broadcast(kept, input.dims)];
}

export const elementWiseOperators: Lowerings = {
  ...activationOperators,
  ...convertOperators,
  Abs: orInDoubles(
    () => Math.abs,
    (node) => absolute(node, node.input(0)),
  ),
  Asin: orInDoubles(() => Math.asin, arcSine),
  IsNaN: isNaN,
  IsInf: isInfinity,
  Add: binary('elementWiseAdd'),
  Sub: binary('elementWiseSubtract'),
  Mul: binary('elementWiseMultiply'),
  Div: binary('elementWiseDivide'),
  Mod: mod,
  Pow: (node) => power(node, node.input(0), node.input(1)),
  Max: chain('elementWiseMax'),
  Min: chain('elementWiseMin'),
  Sum: chain('elementWiseAdd'),
  Mean: (node) => {
    const total = chain('elementWiseAdd')(node);
    return combined(node, 'elementWiseDivide', total, scalar(total.dataType, node.inputs.length));
  },
  Clip: clip,
  And: test('elementWiseLogicalAnd'),
  Or: test('elementWiseLogicalOr'),
  Xor: test('elementWiseLogicalXor'),
  Equal: test('elementWiseLogicalEquals'),
  Greater: test('elementWiseLogicalGreaterThan'),
  GreaterOrEqual: test('elementWiseLogicalGreaterThanOrEqual'),
  Less: test('elementWiseLogicalLessThan'),
  LessOrEqual: test('elementWiseLogicalLessThanOrEqual'),
  BitwiseAnd: binary('elementWiseBitAnd'),
  BitwiseOr: binary('elementWiseBitOr'),
  BitwiseXor: binary('elementWiseBitXor'),
  BitShift: bitShift,
  Where: (node) => choose(node, node.input(0), node.input(1), node.input(2)),
  Dropout: dropout,
};
