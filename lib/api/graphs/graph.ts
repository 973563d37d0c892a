/** Graphs of operators: built from descriptors whose inputs are values, and compiled as a whole. */
import { argumentError, readOptions } from '../../values/arguments.js';
import { requireDescriptor } from '../../operators/resolve.js';
import type { DirectMLError, Place } from '../../values/errors.js';
import { nameKind, partAdvice } from '../../values/given.js';
import { layoutLines } from '../../tensors/layout-line.js';
import { printAsText, withState } from '../../values/printed.js';
import { describeGraph, type GraphDescriptor } from '../../graph/graph-descriptor.js';
import { GraphBuilder } from '../../graph/graph-builder.js';
import { improved } from '../../graph/improve/index.js';
import { mermaidOf } from '../../graph/mermaid.js';
import { readDescriptor } from '../../graph/read-descriptor.js';
import type { DataTypesIn, NodeDescriptor, OutputValues } from '../../graph/typed-values.js';
import type { ConstantOwnership } from '../../graph/resolved-graph.js';
import { sourceOf, Value } from '../../graph/value.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { TensorDesc } from '../../tensors/tensor-desc.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { readScalar } from '../../descriptors/scalar.js';
import { markUncloneable } from '../../values/uncloneable.js';
import { fromCaller, fromCallerNow } from '../call-site.js';
import { compileGraph } from './compile-graph.js';
import { optimizeOf, readDescriptorOptions, readGraphOptions, type GraphOptions } from './graph-options.js';
import type { CompiledGraph, ConstantsData, OutputDataTypes } from './compiled-graph.js';
import type { DeviceContext } from '../device-context.js';
import { checkDataTypes } from '../device-support.js';
import { bytesOfText, ownedConstant, readConstant, refuseUnknown, textOfBytes } from './graph-constants.js';
import { keyOfNumber } from '../memory/number-tensor.js';
import { describeTensor, Tensor, tensorKind } from '../memory/tensor.js';
import { elements, isData, type TensorData } from '../memory/tensor-data.js';
import { valueAdvice } from '../memory/tensor-words.js';

/** Options of {@link Graph.add}. */
export interface NameOptions {
  /** The name of the node or constant in errors, descriptors and pictures. Default: its type and a number, such as `gemm_0`. */
  readonly name?: string | undefined;
}

/** Options of {@link Graph.constant}. */
export interface ConstantOptions extends NameOptions {
  /**
   * Who has the memory. `'shared'`: each dispatch binds it, so it exists once, whatever the number of graphs that use it.
   * `'directml'`: DirectML gets a copy of the elements at the time of {@link Graph.compile}, one for each graph, so that the
   * driver may rearrange them. Default: `'shared'` for tensors and for data of more than 64 KiB, else `'directml'`.
   */
  readonly ownership?: ConstantOwnership | undefined;
}

/** Options of {@link Device.compileGraph}. */
export interface CompileGraphOptions extends GraphOptions {
  /** The elements of constants by name, for constants without data in the descriptor. */
  readonly constants?: ConstantsData | undefined;
}

/** The data of {@link Graph.constant}. */
const dataPlace: Place = { operator: 'graph.constant', field: 'data' };

let graphOf: (value: Value) => Graph;

/** @internal The graph of the first value. */
export function graphIn(given: readonly unknown[]): Graph | null {
  const found = given.find((each) => Value.is(each));
  return found === undefined ? null : graphOf(found);
}

/**
 * A graph of operators. {@link Device.createGraph} creates it. Values connect the operators: inputs and constants of the graph,
 * and the outputs of the operators that were added. A mistake throws at the call that makes it; nothing reaches DirectML before
 * {@link compile}. `Inputs` are the names of all inputs, if they are known.
 */
export class Graph<Inputs extends string = string> {
  readonly #context: DeviceContext;
  readonly #builder: GraphBuilder;

  /** The constants of tensors and numbers that functions of operators met. */
  readonly #constants = new Map<Tensor | string, Value>();

  static {
    graphOf = (value) => {
      const { graph } = sourceOf(value);
      if (!Graph.is(graph)) throw new TypeError('a value has a graph');
      return graph;
    };
    const is = (value: object) => #builder in value;
    nameKind('a graph', 'graphs', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(context: DeviceContext, options: { readonly allowsUnusedInputs?: boolean } = {}) {
    this.#context = context;
    const { tensorDataTypes } = context.backend.info;
    this.#builder = new GraphBuilder(context.featureLevel, {
      ...options,
      graph: this,
      advice: valueAdvice,
      isTensor: tensorKind.is,
      check: (operator) => checkDataTypes(operator, tensorDataTypes),
    });
    markUncloneable(this);
  }

  /** @internal True if the constructor of this class made the value. */
  static is(value: unknown): value is Graph {
    return typeof value === 'object' && value !== null && #builder in value;
  }

  /**
   * Adds an input, which each dispatch of the compiled graph binds.
   *
   * @param name Its name in the bindings of a dispatch; unique in the graph.
   * @param desc Data type, sizes and, unless the tensor is packed, strides in elements.
   * @throws {DirectMLError} ERR_INVALID_GRAPH for a name that is taken; the errors of {@link Device.createTensor} for a wrong
   * description.
   */
  input<T extends DataType>(name: Inputs, desc: TensorDesc & { readonly dataType: T }): Value<T>;
  input(name: string, desc: TensorDesc): Value {
    return fromCallerNow(() => this.#builder.input(name, describeTensor(desc)));
  }

  /**
   * Adds a constant, such as a weight, with the elements of a tensor.
   *
   * @param tensor Each dispatch reads its elements as they are then; do not dispose of the tensor before the compiled graphs.
   * With `ownership: 'directml'`, the elements are those at the time of the {@link compile} call, and you may dispose of it
   * after that call.
   * @throws {DirectMLError} ERR_INVALID_GRAPH for a name that is taken; the errors of {@link Device.createTensor} for a wrong
   * description.
   */
  constant<T extends DataType>(tensor: Tensor<T>, options?: ConstantOptions): Value<T>;
  /**
   * Adds a constant, such as a weight.
   *
   * @param desc Data type, sizes and, unless the tensor is packed, strides in elements.
   * @param data The elements in any form that {@link Tensor.write} takes. They are copied.
   * @throws {DirectMLError} ERR_INVALID_GRAPH for a name that is taken; the errors of {@link Device.createTensor} for a wrong
   * description or wrong data.
   */
  constant<T extends DataType>(
    desc: TensorDesc & { readonly dataType: T },
    data: TensorData<T>,
    options?: ConstantOptions,
  ): Value<T>;
  constant(desc: TensorDesc, ...rest: readonly unknown[]): Value {
    return fromCallerNow(() => {
      const method = 'graph.constant';
      const [data, options] = Tensor.is(desc) ? [desc, optionsAfterTensor(method, rest)] : [rest[0], rest[1]];
      const given = readOptions(method, options, ['name', 'ownership']);
      const read = (tensor: ResolvedTensor) => {
        if (!Tensor.is(data) && !isData(dataPlace, data)) throw noData(method, data);
        return ownedConstant(
          { operator: method, field: 'options.ownership' },
          readConstant(dataPlace, tensor, data),
          given.get('ownership'),
        );
      };
      return this.#builder.constant(given.get('name'), describeTensor(desc), read);
    });
  }

  /** @internal Like `input` for a description that may be any object. */
  inputOf(name: string, desc: unknown): Value {
    return this.#builder.input(name, describeTensor(desc));
  }

  /** @internal The constant of a tensor, which is added once. */
  constantOf(tensor: Tensor): Value {
    const constant = this.#constants.get(tensor) ?? this.constant(tensor);
    this.#constants.set(tensor, constant);
    return constant;
  }

  /** @internal A value that has the number everywhere: a view of a constant, which is added once. `place` is the number's. */
  numberOf(place: Place, dataType: DataType, number: number | bigint, sizes: readonly number[]): Value {
    const key = keyOfNumber(dataType, number);
    const element = () => this.constant({ dataType, sizes: [1] }, [readScalar(number, place, dataType)]);
    const constant = this.#constants.get(key) ?? element();
    this.#constants.set(key, constant);
    return constant.broadcastTo(sizes);
  }

  /**
   * Adds an operator as a node.
   *
   * @param descriptor The operator's descriptor with a value in the field of each input. You can leave an output out or
   * describe it, as for {@link Device.compile}.
   * @returns The outputs as values, by field name.
   * @throws {DirectMLError} ERR_INVALID_GRAPH if an input is no value of this graph; the errors of {@link Device.compile} for a
   * descriptor.
   */
  add<Type extends OperatorType, Input extends DataType = DataType, Given extends DataType = never>(
    descriptor: NodeDescriptor<Type> & { readonly type: Type } & DataTypesIn<Type, Input, Given>,
    options?: NameOptions,
  ): OutputValues<Type, Input, Given>;
  add(descriptor: unknown, options?: NameOptions): Readonly<Record<string, Value | readonly Value[]>> {
    return this.addAny(descriptor, options);
  }

  /** @internal Like `add` for a descriptor that may be any value. */
  addAny(descriptor: unknown, options?: NameOptions): Readonly<Record<string, Value | readonly Value[]>> {
    return fromCallerNow(() => {
      if (options === undefined) return this.#builder.add(descriptor);
      // Before the options, for add(type, fields) looks like wrong options.
      requireDescriptor(descriptor, 'graph.add');
      return this.#builder.add(descriptor, readOptions('graph.add', options, ['name']).get('name'));
    });
  }

  /** @internal Compiling keeps the nodes that `work` adds apart from equal ones that were there before. */
  recompute<T>(work: () => T): T {
    return this.#builder.recompute(work);
  }

  /**
   * Compiles the graph off the JavaScript thread. Nodes, constants and inputs that no output needs are left out. You can add to
   * the graph and compile it again.
   *
   * @param outputs By name, the values that each dispatch writes. An output has the layout of its value; a view that is not
   * packed is copied into a packed tensor.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_GRAPH without outputs, for a value of another graph, for an input that
   * nothing uses, or for an output with the name of an input; ERR_INVALID_ARGUMENT for wrong options; ERR_ABORTED,
   * ERR_OUT_OF_MEMORY, ERR_NATIVE_CALL, ERR_DISPOSED, ERR_DEVICE_LOST.
   */
  async compile<Types extends OutputDataTypes>(
    outputs: { readonly [Name in keyof Types]-?: Value<Types[Name]> },
    options?: GraphOptions,
  ): Promise<CompiledGraph<Types, Inputs>> {
    return fromCaller(async () => {
      this.#context.check('graph.compile');
      const shared = readGraphOptions('graph.compile', options);
      return compileGraph<Types, Inputs>(this.#context, this.#builder.resolve(outputs), shared, 'graph.compile');
    });
  }

  /**
   * Returns the graph as plain data, which fits into JSON and which {@link Device.compileGraph} compiles. It contains the
   * elements of constants as base64, but not of those made from tensors: pass these in the options of `compileGraph`.
   *
   * @throws {DirectMLError} The errors of {@link compile} for outputs; ERR_SIZES for a constant that is too large for a string.
   */
  toDescriptor<Outputs extends string>(outputs: Readonly<Record<Outputs, Value>>): GraphDescriptor<Outputs>;
  toDescriptor(outputs: Readonly<Record<string, Value>>): GraphDescriptor {
    return fromCallerNow(() => {
      const graph = this.#builder.resolve(outputs, 'graph.toDescriptor');
      return describeGraph(graph, ({ name, data }) => (data instanceof Uint8Array ? textOfBytes(name, data) : undefined));
    });
  }

  /**
   * Returns a picture of the graph as text for Mermaid: a flowchart with operators, data types and sizes.
   *
   * @param options `optimize` shows the graph as {@link compile} improves it. Default: false, the graph as it was written.
   * @throws {DirectMLError} The errors of {@link compile} for outputs; ERR_INVALID_ARGUMENT for wrong options.
   */
  toMermaid(outputs: Readonly<Record<string, Value>>, options?: Pick<GraphOptions, 'optimize'>): string {
    const method = 'graph.toMermaid';
    return fromCallerNow(() => {
      const optimize = optimizeOf(method, readOptions(method, options, ['optimize']).get('optimize')) ?? false;
      return mermaidOf(improved(this.#builder.resolve(outputs, method), optimize, this.#context.featureLevel));
    });
  }

  /** A line with the inputs and the numbers of constants and operators. `console.log` shows it too. */
  toString(): string {
    const { inputs, constants, nodes } = this.#builder.contents;
    const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
    const given = layoutLines(inputs.map(({ name, tensor }) => [name, tensor] as const));
    return withState(`Graph (${given}) of ${count(constants, 'constant')}, ${count(nodes, 'operator')}`, this.#context.state);
  }

  /** @internal Compiles a descriptor, which may be any value. */
  static async compileDescriptor(context: DeviceContext, descriptor: unknown, options: unknown): Promise<CompiledGraph> {
    const method = 'compileGraph';
    context.check(method);
    const { constants, ...shared } = readDescriptorOptions(method, options);
    const graph = new Graph(context);
    const names: string[] = [];
    const outputs = readDescriptor(graph.#builder, descriptor, (name, { data, ownership }, tensor) => {
      names.push(name);
      const given = constants.read(name);
      const place = { operator: method, field: 'data' };
      const bytes = given === undefined ? bytesOfText(place, tensor, data) : readConstant(place, tensor, given);
      return ownedConstant({ operator: method, field: 'ownership' }, bytes, ownership);
    });
    refuseUnknown(constants.names, names, { operator: method, field: 'options.constants' });
    return compileGraph(context, graph.#builder.resolve(outputs, method), shared, method);
  }
}

/** The options of a constant that is a tensor: the only argument after it. */
function optionsAfterTensor(method: string, [options, ...more]: readonly unknown[]): unknown {
  if (more.length === 0 && !isData(dataPlace, options) && !Tensor.is(options)) return options;
  const why = 'a tensor brings its data; the argument after it has the options';
  throw argumentError(method, 'data', 'no data with a tensor', options, 'ERR_INVALID_ARGUMENT', why);
}

function noData(method: string, given: unknown): DirectMLError {
  const why = 'graph.constant(desc, data, options), or graph.constant(tensor, options)';
  return argumentError(method, 'data', elements, given, 'ERR_INVALID_ARGUMENT', partAdvice(given, tensorKind.is) ?? why);
}
