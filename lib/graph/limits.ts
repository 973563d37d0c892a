/** Limits of graphs. Beyond them DirectML takes minutes, and far beyond them it ends the process. The addon has the same limits. */

export const maxNodes = 65_536;
/** Inputs and constants together; also outputs. */
export const maxTensors = 65_536;
/** Inputs of all nodes together. */
export const maxEdges = 1_048_576;

/** DirectML gets a copy of smaller constants by default. A binding at every dispatch would cost more than the copy. */
export const minSharedBytes = 64 * 1024;
