/** The models by their names. */
import type { Model } from '../model-writer.js';
import { attention } from './attention.js';
import { bottleneck } from './bottleneck.js';
import { convolutional } from './convolutional.js';
import { encoder } from './encoder.js';
import { forecaster } from './forecaster.js';
import { mobile } from './mobile.js';
import { perceptron } from './perceptron.js';
import { quantized } from './quantized.js';
import { residual } from './residual.js';
import { search } from './search.js';
import { tagger } from './tagger.js';
import { transcriber } from './transcriber.js';
import { transformer } from './transformer.js';
import { unet } from './unet.js';
import { upscaler } from './upscaler.js';

export const models: Readonly<Record<string, () => Model>> = {
  'multilayer perceptron': perceptron,
  'convolutional network': convolutional,
  'residual block': residual,
  'attention block': attention,
  'transformer encoder': encoder,
  'LSTM tagger': tagger,
  'GRU forecaster': forecaster,
  'quantized network': quantized,
  'upscaling network': upscaler,
  'depthwise convolutions': mobile,
};

/** Blocks of large networks, of which `npm run bench` measures what improving a graph brings. */
export const blocks: Readonly<Record<string, () => Model>> = {
  'transformer block': transformer,
  'convolutional residual block': bottleneck,
  'U-Net': unet,
  'recurrent block': transcriber,
  'embedding and search': search,
};
