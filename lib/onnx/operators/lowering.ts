/** What an operator of ONNX becomes. */
import type { Item } from '../operand.js';
import type { Node } from '../node.js';

/** Adds what the node computes, and returns its outputs. May be called again with the same inputs. */
export type Lowering = (node: Node) => Item | readonly (Item | undefined)[];

/** By operator; with the domain before it for those of other domains than ai.onnx, such as `com.microsoft:FastGelu`. */
export type Lowerings = Readonly<Record<string, Lowering>>;
