/** Gradients of recurrent networks. */
import { noRule, type GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'rnn' | 'lstm' | 'gru'> = { rnn: noRule, lstm: noRule, gru: noRule };
