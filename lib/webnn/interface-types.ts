/** What connects WebNN's objects with their implementations. */
import { Device } from '../api/device.js';
import type { BuiltGraph } from './ml-graph.js';
import type { Builder } from './ml-graph-builder.js';
import type { Context } from './ml-context.js';
import type { ContextTensor } from './ml-tensor.js';
import { InterfaceType } from './idl/interface.js';
import type { Opener } from './opener.js';
import type { Operand } from './ml-operand.js';

export const openerType = new InterfaceType<Opener>('ML');
export const contextType = new InterfaceType<Context>('MLContext');
export const tensorType = new InterfaceType<ContextTensor>('MLTensor');
export const graphType = new InterfaceType<BuiltGraph>('MLGraph');
export const operandType = new InterfaceType<Operand>('MLOperand');
export const builderType = new InterfaceType<Builder>('MLGraphBuilder');
export const deviceType = new InterfaceType<Device>('Device', (value) => (value instanceof Device ? value : undefined));
