/**
 * The W3C's Web Neural Network API on DirectML.
 * @module node-directml/webnn
 */
import type { DeviceOptions } from '../api/create-device.js';
import type { Tensor } from '../api/memory/tensor.js';
import { describe } from '../values/given.js';
import { define } from '../values/define.js';
import { Builder } from './ml-graph-builder.js';
import { BuiltGraph } from './ml-graph.js';
import { Context } from './ml-context.js';
import { ContextTensor } from './ml-tensor.js';
import * as definitions from './generated/conversions.js';
import type * as types from './generated/types.js';
import { interfaceObject, InterfaceType, type InterfaceDefinition } from './idl/interface.js';
import { builderType, contextType, graphType, openerType, operandType, tensorType } from './interface-types.js';
import { avoidStall } from './avoid-stall.js';
import { Opener } from './opener.js';
import { Operand } from './ml-operand.js';

export type * from './generated/types.js';
export type { DeviceOptions } from '../api/create-device.js';

export const ML = make(definitions.ml, openerType) as types.MLConstructor;
export type ML = types.ML;
export const MLContext = make(definitions.mlContext, contextType) as types.MLContextConstructor;
export type MLContext = types.MLContext;
export const MLTensor = make(definitions.mlTensor, tensorType) as types.MLTensorConstructor;
export type MLTensor = types.MLTensor;
export const MLGraph = make(definitions.mlGraph, graphType) as types.MLGraphConstructor;
export type MLGraph = types.MLGraph;
export const MLOperand = make(definitions.mlOperand, operandType) as types.MLOperandConstructor;
export type MLOperand = types.MLOperand;
export const MLGraphBuilder = make(
  definitions.mlGraphBuilder,
  builderType,
  (context: Context) => new Builder(context),
) as types.MLGraphBuilderConstructor;
export type MLGraphBuilder = types.MLGraphBuilder;

/** The equivalent of `navigator.ml` in a browser. Its contexts use the device that `createDevice()` opens. */
export const ml: types.ML = createML();

/** Returns an ML whose contexts open devices with these options, for example on another adapter or backend. */
export function createML(options: DeviceOptions = {}): types.ML {
  return openerType.objectOf(new Opener(options)) as types.ML;
}

/** The class of WebGPU's devices in Web IDL. Node.js has no WebGPU, so no object is an instance. */
const GPUDevice = make(
  { name: 'GPUDevice', constructor: null, attributes: [], operations: [] },
  new InterfaceType<object>('GPUDevice'),
);

/**
 * Puts `navigator.ml` and the interface objects, such as MLGraphBuilder, where a browser has them, for libraries that look
 * there. Libraries such as onnxruntime-web also use the class GPUDevice: if it does not exist, this defines one that has no
 * instances. On Node.js 20 it also sets V8's flag `--liftoff-only`, without which a run of onnxruntime-web stalls for a minute.
 *
 * @param instance The object for `navigator.ml`. Default: {@link ml}.
 */
export function install(instance: types.ML = ml): void {
  const interfaces = {
    ...{ ML, MLContext, MLTensor, MLGraph, MLOperand, MLGraphBuilder },
    ...('GPUDevice' in globalThis ? {} : { GPUDevice }),
  };
  for (const [name, value] of Object.entries(interfaces)) define(globalThis, name, value, 'writable');
  const own: unknown = Reflect.get(globalThis, 'navigator');
  const navigator: object = typeof own === 'object' && own !== null ? own : {};
  if (navigator !== own) define(globalThis, 'navigator', navigator, 'writable');
  define(navigator, 'ml', instance, 'enumerable');
  avoidStall();
}

/**
 * Returns this package's tensor for the memory of an MLTensor: both have the same elements. For a tensor without dimensions,
 * the sizes are [1].
 *
 * @throws {TypeError} unless the argument is an MLTensor that is not destroyed.
 */
export function tensorOf(tensor: types.MLTensor): Tensor {
  const own = tensorType.implementationOf(tensor);
  if (own === undefined) throw new TypeError(`tensorOf: expected an MLTensor, given ${describe(tensor)}.`);
  if (own.isDestroyed) throw new TypeError('tensorOf: the tensor was destroyed.');
  return own.tensor;
}

/** The interface object of a generated definition, which the generated type describes. */
function make<Implementation extends object>(
  definition: InterfaceDefinition,
  type: InterfaceType<Implementation>,
  construct?: (...args: never[]) => Implementation,
): unknown {
  return interfaceObject(definition, { type, toObject, ...(construct === undefined ? {} : { construct }) });
}

/** The public part of a result. */
function toObject(value: unknown): unknown {
  if (value instanceof Operand) return operandType.objectOf(value);
  if (value instanceof ContextTensor) return tensorType.objectOf(value);
  if (value instanceof BuiltGraph) return graphType.objectOf(value);
  if (value instanceof Context) return contextType.objectOf(value);
  if (Array.isArray(value) && value[0] instanceof Operand) return value.map((operand: unknown) => toObject(operand));
  return value;
}
