/** MLGraphBuilder: collects inputs, constants and operators, and has them compiled. */
import { bytesOfArray } from '../api/memory/array-data.js';
import { define } from '../values/define.js';
import { shorten } from '../values/given.js';
import { copyOf, lengthProblem, viewProblem } from './buffer-data.js';
import type { BuiltGraph } from './ml-graph.js';
import { castNumber } from './cast-number.js';
import type { Context } from './ml-context.js';
import { ContextTensor } from './ml-tensor.js';
import { invalidState } from './dom-errors.js';
import { argumentNames, type MLOperandDescriptor, type MLOperatorOptions } from './generated/arguments.js';
import type { MLOperandDataType } from './generated/types.js';
import type { AllowSharedBufferSource } from './idl/conversions.js';
import { lowerGraph } from './lower-graph.js';
import { Operand, problemOf, type AddedOperator, type OperandDescriptor, type OperatorName } from './ml-operand.js';
import { Check } from './validate/check.js';
import { validators } from './validate/index.js';

type ConstantArguments =
  | readonly [MLOperandDescriptor, AllowSharedBufferSource]
  | readonly [MLOperandDataType, number | bigint]
  | readonly [ContextTensor];

export class Builder {
  readonly context: Context;
  #hasBuilt = false;

  constructor(context: Context) {
    context.check();
    this.context = context;
  }

  input(name: string, descriptor: MLOperandDescriptor): Operand {
    this.#checkCanBuild();
    if (name === '') throw new TypeError('input: the name is empty.');
    checkOperand('input', descriptor);
    return new Operand(this, descriptor, { kind: 'input', name });
  }

  constant(...args: ConstantArguments): Operand {
    const [first, second] = args;
    if (first instanceof ContextTensor) return this.#constantOf(first);
    this.#checkCanBuild();
    if (typeof first === 'string') {
      if (typeof second !== 'number' && typeof second !== 'bigint') throw new TypeError('constant: the value is no number.');
      const { buffer } = bytesOfArray({ operator: 'constant', field: 'value' }, [castNumber(second, first)], first, 1);
      return new Operand(this, { dataType: first, shape: [] }, { kind: 'constant', data: buffer });
    }
    if (typeof second !== 'object') throw new TypeError('constant: there is no buffer.');
    checkOperand('constant', first);
    const problem = lengthProblem(second, first) ?? viewProblem(second, first);
    if (problem !== undefined) throw new TypeError(`constant: buffer ${problem}.`);
    return new Operand(this, first, { kind: 'constant', data: copyOf(second) });
  }

  /** Adds an operator. Returns its outputs. */
  addOperator(name: OperatorName, args: readonly unknown[]): readonly Operand[] {
    this.#checkCanBuild();
    if (name === 'softmax' && args.length === 2) return this.addOperator(name, withSoftmaxAxis(args));
    const options = args.at(-1);
    const label = isOptions(options) ? options.label : '';
    const check = new Check(name, label);
    const named = operandsOf(name, args);
    const byName = new Map(named);
    for (const [operandName, operand] of named) {
      check.that(operand.builder === this, () => `${operandName} belongs to another builder`);
      check.operand(operandName, operand, byName);
    }
    const outputs = validate(name, check, args);
    for (const output of outputs) {
      const problem = problemOf(output);
      if (problem !== undefined) check.fail(`the output ${problem}`);
    }
    const operator: AddedOperator = { name, label, args, inputs: named.map(([, operand]) => operand), outputs };
    return outputs.map((output, index) => new Operand(this, output, { kind: 'output', operator, index }));
  }

  async build(outputs: ReadonlyMap<string, Operand>): Promise<BuiltGraph> {
    this.#checkCanBuild();
    if (outputs.size === 0) throw new TypeError('build: there are no outputs.');
    for (const [name, operand] of outputs) {
      if (name === '') throw new TypeError('build: the name of an output is empty.');
      if (operand.builder !== this) throw new TypeError(`build: the output '${shorten(name)}' belongs to another builder.`);
      const { kind } = operand.source;
      if (kind !== 'output')
        throw new TypeError(`build: the output '${shorten(name)}' is ${kind === 'input' ? 'an input' : 'a constant'}.`);
    }
    checkNames(outputs.values());
    this.#hasBuilt = true;
    return this.context.untilLost(lowerGraph(this.context, outputs));
  }

  #constantOf(tensor: ContextTensor): Operand {
    if (tensor.context !== this.context) throw new TypeError('constant: the tensor belongs to another context.');
    if (tensor.isDestroyed) throw new TypeError('constant: the tensor was destroyed.');
    if (!tensor.constant) throw new TypeError('constant: the tensor was not created by createConstantTensor.');
    this.#checkCanBuild();
    return new Operand(this, tensor, { kind: 'constant', data: tensor.tensor });
  }

  #checkCanBuild(): void {
    if (this.#hasBuilt) throw invalidState('The builder has built its graph.');
    this.context.check();
  }
}

/**
 * Tests and programs create inputs with equal names that are never in the same graph, so only the inputs of one graph are
 * compared.
 */
function checkNames(outputs: Iterable<Operand>): void {
  const seen = new Set<Operand>(outputs);
  const names = new Set<string>();
  for (const { source } of seen) {
    if (source.kind === 'output') for (const input of source.operator.inputs) seen.add(input);
    if (source.kind !== 'input') continue;
    if (names.has(source.name)) throw new TypeError(`build: two inputs have the name '${shorten(source.name)}'.`);
    names.add(source.name);
  }
}

// The methods of the operators differ only in their names and in whether they return one operand or several.
const several = new Set<OperatorName>(['split', 'gru', 'lstm', 'lstmCell']);
for (const name of operatorNames()) {
  const value = function (this: Builder, ...args: readonly unknown[]): unknown {
    const outputs = this.addOperator(name, args);
    return several.has(name) ? outputs : outputs[0];
  };
  define(Builder.prototype, name, value);
}

function operatorNames(): readonly OperatorName[] {
  return Object.keys(validators).filter((name): name is OperatorName => Object.hasOwn(argumentNames, name));
}

function validate(name: OperatorName, check: Check, args: readonly unknown[]): readonly OperandDescriptor[] {
  // the converters made the arguments of this operator
  const validator = validators[name] as (
    check: Check,
    ...args: readonly unknown[]
  ) => OperandDescriptor | readonly OperandDescriptor[];
  const outputs = validator(check, ...args);
  return isList(outputs) ? outputs : [outputs];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** The operands among the arguments, and among the members of the options, by name. */
function operandsOf(name: OperatorName, args: readonly unknown[]): readonly (readonly [string, Operand])[] {
  const named: [string, Operand][] = [];
  for (const [i, argument] of args.entries()) {
    const own = argumentNames[name][i] ?? '';
    if (argument instanceof Operand) named.push([own, argument]);
    else if (Array.isArray(argument)) for (const item of argument) if (item instanceof Operand) named.push([own, item]);
    if (!isOptions(argument)) continue;
    for (const [member, value] of Object.entries(argument)) if (value instanceof Operand) named.push([member, value]);
  }
  return named;
}

/** The former softmax had no axis, and took matrices only. */
function withSoftmaxAxis([input, options]: readonly unknown[]): readonly unknown[] {
  const check = new Check('softmax', isOptions(options) ? options.label : '');
  check.that(input instanceof Operand && input.rank === 2, () => 'an input that has not two dimensions needs an axis');
  return [input, 1, options];
}

function isOptions(value: unknown): value is MLOperatorOptions {
  return typeof value === 'object' && value !== null && 'label' in value && !(value instanceof Operand);
}

function checkOperand(method: string, descriptor: OperandDescriptor): void {
  const problem = problemOf(descriptor);
  if (problem !== undefined) throw new TypeError(`${method}: the operand ${problem}.`);
}
