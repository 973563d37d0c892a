/** Limits of graphs. DirectML needs minutes for more, and ends the process for far more. The addon has the same limits. */

export const maxNodes = 65_536;
/** Inputs and constants together; also outputs. */
export const maxTensors = 65_536;
/** Inputs of all nodes together. */
export const maxEdges = 1_048_576;
