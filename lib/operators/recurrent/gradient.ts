/** Gradients of recurrent networks: their steps are computed again, one after the other, by operators that have gradients. */
import { along, Composed, packed, parts } from '../../descriptors/gradient.js';
import type { Expression, GradientRules, NodeFields, Operations } from '../../descriptors/gradient.js';

type Network = NodeFields<'rnn' | 'lstm' | 'gru'>;

/** One direction of a layer. States and gates are [1, 1, batch, hidden]. */
interface Direction {
  /** The weighted state with its biases and what is added, for all gates or for one. */
  readonly weigh: (state: Expression, addend?: Expression, gate?: number) => Expression;
  readonly activate: (which: number, sum: Expression) => Expression;
  /** A state as a gate sees it through its peephole. */
  readonly peep: (gate: number, sum: Expression, cell: Expression) => Expression;
}

/** The next states, of which the first one is the hidden state; `inputs` are the weighted inputs of all gates with their biases. */
type Step = (direction: Direction, inputs: Expression, states: readonly Expression[]) => readonly Expression[];

function unrolled(node: Network, gates: number, o: Operations, step: Step): Composed {
  const { inputTensor, recurrenceTensor, activationDescs, sequenceLengthsTensor: lengths } = node;
  const [, steps = 1, batch = 1, inputs = 1] = inputTensor.sizes;
  const [, directions = 1, , hidden = 1] = recurrenceTensor.sizes;
  const sizes = [1, 1, batch, hidden];
  const ofSequences = (isTrue: Expression) => isTrue.reshape([1, 1, batch, 1]).broadcastTo(sizes);
  const runs = Array.from({ length: directions }, (_, at) => {
    const own = (value: Expression, axis = 1) => (directions === 1 ? value : along(value, axis, at, 1, o));
    const biases = node.biasTensor === null ? [] : parts(own(node.biasTensor, 2), 3, 2, o);
    const peepholes = 'peepholeTensor' in node && node.peepholeTensor ? parts(own(node.peepholeTensor, 2), 3, 3, o) : [];
    const product = (rows: Expression, matrix: Expression, bias?: Expression, cTensor?: Expression) => {
      const made = o.gemm(rows, matrix, { transB: 'transpose', ...(cTensor && { cTensor }) });
      return bias === undefined ? made : o.add(made, bias.broadcastTo(made.sizes));
    };
    const recurrence = own(recurrenceTensor);
    const direction: Direction = {
      weigh: (state, addend, gate) => {
        if (gate === undefined) return product(state, recurrence, biases[1], addend);
        const bias = biases[1] && along(biases[1], 3, gate * hidden, hidden, o);
        return product(state, along(recurrence, 2, gate * hidden, hidden, o), bias, addend);
      },
      activate: (which, sum) => {
        const activation = activationDescs[(at * activationDescs.length) / directions + which];
        return activation === undefined ? sum : o.activated(activation, sum);
      },
      peep: (gate, sum, cell) => {
        const weight = peepholes[gate];
        return weight === undefined ? sum : o.add(sum, o.multiply(weight.broadcastTo(sizes), cell));
      },
    };
    const rows = packed(inputTensor, o).reshape([1, 1, steps * batch, inputs]);
    const weighted = product(rows, own(node.weightTensor), biases[0]).reshape([1, steps, batch, gates * hidden]);
    const starts = [node.hiddenInitTensor, ...('cellMemInitTensor' in node ? [node.cellMemInitTensor] : [])];
    let states = starts.map((start) => (start === null ? o.zeros({ ...inputTensor, sizes }) : own(start)));
    const isBackward = at === 1 || node.direction === 'backward';
    const sequence: Expression[] = [];
    for (const [i, given] of (isBackward ? parts(weighted, 1, steps, o).toReversed() : parts(weighted, 1, steps, o)).entries()) {
      const made = step(direction, given, states);
      const isOpen = lengths && ofSequences(o.logicalGreaterThan(lengths, isBackward ? steps - 1 - i : i));
      states = made.map((next, place) => (isOpen === null ? next : o.if(isOpen, next, states[place])));
      sequence.push(isOpen === null ? (made[0] ?? given) : o.if(isOpen, made[0], 0));
    }
    if (lengths !== null && !isBackward) {
      // DirectML finds no last state for these lengths.
      const hasLast = o.logicalAnd(o.logicalGreaterThan(lengths, 0), o.logicalLessThanOrEqual(lengths, steps));
      states = states.with(0, o.if(ofSequences(hasLast), states[0], 0));
    }
    return [o.join(isBackward ? sequence.reverse() : sequence, { axis: 0 }), ...states];
  });
  const together = (place: number) =>
    o.join(
      runs.flatMap((run) => run[place] ?? []),
      { axis: 1 },
    );
  return new Composed({
    outputSequenceTensor: together(0),
    outputSingleTensor: together(1),
    ...('cellMemInitTensor' in node && { outputCellSingleTensor: together(2) }),
  });
}

export const gradients: GradientRules<'rnn' | 'lstm' | 'gru'> = {
  rnn: (node, _, o) =>
    unrolled(node, 1, o, ({ weigh, activate }, inputs, [hidden = inputs]) => [activate(0, weigh(hidden, inputs))]),
  gru: (node, _, o) =>
    unrolled(node, 3, o, ({ weigh, activate }, inputs, [hidden = inputs]) => {
      const [update = inputs, reset = inputs, ofInput = inputs] = parts(inputs, 3, 3, o);
      const keep = activate(0, weigh(hidden, update, 0));
      const open = activate(0, weigh(hidden, reset, 1));
      const sum = node.linearBeforeReset
        ? o.add(ofInput, o.multiply(open, weigh(hidden, undefined, 2)))
        : weigh(o.multiply(open, hidden), ofInput, 2);
      const candidate = activate(1, sum);
      return [o.add(candidate, o.multiply(keep, o.subtract(hidden, candidate)))];
    }),
  lstm: (node, _, o) =>
    unrolled(node, 4, o, ({ weigh, activate, peep }, inputs, [hidden = inputs, cell = inputs]) => {
      const [input = inputs, output = inputs, forget = inputs, last = inputs] = parts(weigh(hidden, inputs), 3, 4, o);
      const { useClipThreshold, clipThreshold: max } = node;
      // The upper limit counts if it is the lower one.
      const limits = { min: Math.min(-max, max), max };
      const gate = (which: number, sum: Expression) => activate(which, useClipThreshold ? o.clip(sum, limits) : sum);
      const admit = gate(0, peep(0, input, cell));
      const keep = node.coupleInputForget ? o.subtract(1, admit) : gate(0, peep(2, forget, cell));
      const next = o.add(o.multiply(keep, cell), o.multiply(admit, gate(1, last)));
      return [o.multiply(gate(0, peep(1, output, next)), activate(2, next)), next];
    }),
};
