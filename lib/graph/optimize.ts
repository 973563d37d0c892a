/**
 * How a graph is improved before it is compiled. `'exact'` changes no bit of the outputs: equal nodes are one, and copies and
 * transposes vanish where their readers can do without. `'fast'` also joins operators that DirectML computes at once, so that
 * results differ by roundings, signs of zero, and what relu makes of NaN: layer normalization, gelu and swish of many nodes,
 * factors and addends, biases, residuals, activations, and batch normalization after a convolution. Constants may then become
 * parameters or other constants. False compiles the graph as it was written.
 */
export type Optimize = 'exact' | 'fast' | false;
