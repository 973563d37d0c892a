/** Operators that compute each element from those at its place. */
import { erf } from '../../backends/reference/compute/erf.js';
import { isFloat, roundToEven } from '../../data-types/table.js';
import type { OperatorType } from '../../schema/generated/descriptors.js';
import { scalar } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, broadcastDims, type Operand } from '../operand.js';
import { activationOperators } from './activation.js';
import { clip } from './clip.js';
import { convertOperators } from './convert.js';
import { combineInMemory, mapInMemory, testInMemory } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { extremeOf, orderKeys } from './order.js';
import { power } from './power.js';

/** An operator of one tensor. DirectML computes no float64, so JavaScript does. */
function unary(type: OperatorType, inDoubles?: (element: number) => number, fields = {}): Lowering {
  return (node) => {
    const input = node.input(0);
    if (input.dataType === 'float64' && inDoubles !== undefined) return mapInMemory(node, input, inDoubles);
    return node.map(type, input, fields);
  };
}

/** DirectML's arcsine is wrong by up to 6.8e-5, also near 0; its arctangent is right there. */
function arcSine(node: Node): Operand {
  const input = node.input(0);
  if (input.dataType === 'float64') return mapInMemory(node, input, Math.asin);
  const cosine = node.arithmetic('elementWiseMultiply', node.scaled(input, -1, 1), node.scaled(input, 1, 1));
  return node.map('elementWiseAtan', node.arithmetic('elementWiseDivide', input, node.map('elementWiseSqrt', cosine)));
}

/** An operator of two tensors that broadcast. */
function binary(type: OperatorType, inDoubles: (a: number, b: number) => number): Lowering {
  return (node) => arithmetic(node, type, inDoubles, node.input(0), node.input(1));
}

function arithmetic(
  node: Node,
  type: OperatorType,
  inDoubles: (a: number, b: number) => number,
  a: Operand,
  b: Operand,
): Operand {
  return a.dataType === 'float64' ? combineInMemory(node, a, b, inDoubles) : node.arithmetic(type, a, b);
}

function comparison(type: OperatorType, inDoubles: (a: number, b: number) => boolean): Lowering {
  return (node) => {
    const [a, b] = [node.input(0), node.input(1)];
    if (a.dataType === 'float64') return combineInMemory(node, a, b, inDoubles, 'uint8', true);
    const [left, right] = type === 'elementWiseLogicalEquals' ? [a, b] : [orderKeys(node, a), orderKeys(node, b)];
    return node.combine(type, left, right, boolean);
  };
}

function logical(type: OperatorType): Lowering {
  return (node) => node.combine(type, node.input(0), node.input(1), boolean);
}

function bitwise(type: OperatorType): Lowering {
  return (node) => node.arithmetic(type, node.input(0), node.input(1));
}

/** An operator that combines any number of tensors, two by two. */
function chain(combine: (node: Node, a: Operand, b: Operand) => Operand): (node: Node) => Operand {
  return (node) => {
    const [first, ...others] = node.inputs;
    if (first === undefined) throw new RangeError('there are no inputs');
    return others.reduce((result, operand) => combine(node, result, operand), first);
  };
}

const add = (a: number, b: number) => a + b;
const divide = (a: number, b: number) => a / b;

const sum = chain((node, a, b) => arithmetic(node, 'elementWiseAdd', add, a, b));

function extreme(type: 'elementWiseMax' | 'elementWiseMin', inDoubles: (a: number, b: number) => number): Lowering {
  return chain((node, a, b) => (a.dataType === 'float64' ? combineInMemory(node, a, b, inDoubles) : extremeOf(node, type, a, b)));
}

/** The sum divided by the number of tensors. */
function mean(node: Node): Operand {
  const total = sum(node);
  return arithmetic(node, 'elementWiseDivide', divide, total, scalar(total.dataType, node.inputs.length));
}

function abs(node: Node): Operand {
  const input = node.input(0);
  if (input.dataType === 'float64') return mapInMemory(node, input, Math.abs);
  return input.dataType.startsWith('uint') ? input : node.map('elementWiseAbs', input);
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

function where(node: Node): Operand {
  const [condition, a, b] = [node.input(0), node.input(1), node.input(2)];
  const dims = broadcastDims(condition.dims, a.dims, b.dims);
  const [conditionTensor, aTensor, bTensor] = [condition, a, b].map((operand) => broadcast(operand, dims));
  return node.add('elementWiseIf', { conditionTensor, aTensor, bTensor, outputTensor: like(a, dims) });
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

/** Operators that compute each element from those at its place. */
export const elementWiseOperators: Lowerings = {
  ...activationOperators,
  ...convertOperators,
  Abs: abs,
  Acos: unary('elementWiseAcos', Math.acos),
  Acosh: unary('elementWiseAcosh', Math.acosh),
  Asin: arcSine,
  Asinh: unary('elementWiseAsinh', Math.asinh),
  Atan: unary('elementWiseAtan', Math.atan),
  Atanh: unary('elementWiseAtanh', Math.atanh),
  Ceil: unary('elementWiseCeil', Math.ceil),
  Cos: unary('elementWiseCos', Math.cos),
  Cosh: unary('elementWiseCosh', Math.cosh),
  Erf: unary('elementWiseErf', erf),
  Exp: unary('elementWiseExp', Math.exp),
  Floor: unary('elementWiseFloor', Math.floor),
  Log: unary('elementWiseLog', Math.log),
  Neg: unary('elementWiseNegate', (element) => -element),
  Reciprocal: unary('elementWiseRecip', (element) => 1 / element),
  Round: unary('elementWiseRound', roundToEven, { roundingMode: 'halvesToNearestEven' }),
  Sign: unary('elementWiseSign', Math.sign),
  Sin: unary('elementWiseSin', Math.sin),
  Sinh: unary('elementWiseSinh', Math.sinh),
  Sqrt: unary('elementWiseSqrt', Math.sqrt),
  Tan: unary('elementWiseTan', Math.tan),
  Not: unary('elementWiseLogicalNot'),
  BitwiseNot: unary('elementWiseBitNot'),
  IsNaN: isNaN,
  IsInf: isInfinity,
  Add: binary('elementWiseAdd', add),
  Sub: binary('elementWiseSubtract', (a, b) => a - b),
  Mul: binary('elementWiseMultiply', (a, b) => a * b),
  Div: binary('elementWiseDivide', divide),
  Mod: mod,
  Pow: (node) => power(node, node.input(0), node.input(1)),
  Max: extreme('elementWiseMax', Math.max),
  Min: extreme('elementWiseMin', Math.min),
  Sum: sum,
  Mean: mean,
  Clip: clip,
  And: logical('elementWiseLogicalAnd'),
  Or: logical('elementWiseLogicalOr'),
  Xor: logical('elementWiseLogicalXor'),
  Equal: comparison('elementWiseLogicalEquals', (a, b) => a === b),
  Greater: comparison('elementWiseLogicalGreaterThan', (a, b) => a > b),
  GreaterOrEqual: comparison('elementWiseLogicalGreaterThanOrEqual', (a, b) => a >= b),
  Less: comparison('elementWiseLogicalLessThan', (a, b) => a < b),
  LessOrEqual: comparison('elementWiseLogicalLessThanOrEqual', (a, b) => a <= b),
  BitwiseAnd: bitwise('elementWiseBitAnd'),
  BitwiseOr: bitwise('elementWiseBitOr'),
  BitwiseXor: bitwise('elementWiseBitXor'),
  BitShift: bitShift,
  Where: where,
  Dropout: dropout,
};
