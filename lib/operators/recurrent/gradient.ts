/** Gradients of recurrent networks. */
import type { GradientRules } from '../../descriptors/gradient.js';

const noRule = 'it has no rule yet: write its steps with other operators';

export const gradients: GradientRules<'rnn' | 'lstm' | 'gru'> = { rnn: noRule, lstm: noRule, gru: noRule };
