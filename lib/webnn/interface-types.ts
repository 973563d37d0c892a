/** What connects WebNN's objects with their implementations. */
import { Device } from '../api/device.js';
import type { BuiltGraph } from './built-graph.js';
import type { Builder } from './builder.js';
import type { Context } from './context.js';
import type { ContextTensor } from './context-tensor.js';
import { InterfaceType } from './idl/interface.js';
import type { Opener } from './opener.js';
import type { Operand } from './operand.js';

export const openerType = new InterfaceType<Opener>('ML');
export const contextType = new InterfaceType<Context>('MLContext');
export const tensorType = new InterfaceType<ContextTensor>('MLTensor');
export const graphType = new InterfaceType<BuiltGraph>('MLGraph');
export const operandType = new InterfaceType<Operand>('MLOperand');
export const builderType = new InterfaceType<Builder>('MLGraphBuilder');
export const deviceType = new InterfaceType<Device>('Device', (value) => (value instanceof Device ? value : undefined));
