// Registers the gradients that `minimize` needs here. TensorFlow.js has them in modules that only bundlers load.
import * as tf from '@tensorflow/tfjs-core';

const unneeded = () => {
  throw new Error('no example needs this gradient');
};

tf.registerGradient({
  kernelName: 'BatchMatMul',
  inputsToSave: ['a', 'b'],
  gradFunc: (gradient, [a, b]) => ({
    a: () => tf.matMul(one(gradient), one(b), false, true),
    b: () => tf.matMul(one(a), one(gradient), true, false),
  }),
});

tf.registerGradient({
  kernelName: 'Sum',
  inputsToSave: ['x'],
  gradFunc: (gradient, [x]) => ({ x: () => tf.mul(one(gradient), tf.onesLike(one(x))) }),
});

tf.registerGradient({
  kernelName: 'RealDiv',
  inputsToSave: ['b'],
  gradFunc: (gradient, [b]) => ({ a: () => tf.div(one(gradient), one(b)), b: unneeded }),
});

tf.registerGradient({
  kernelName: 'Multiply',
  inputsToSave: ['b'],
  gradFunc: (gradient, [b]) => ({ a: () => tf.mul(one(gradient), one(b)), b: unneeded }),
});

/** Checks that there is exactly one tensor, and returns it. */
function one(/** @type {tf.Tensor | tf.Tensor[] | undefined} */ tensor) {
  if (tensor instanceof tf.Tensor) return tensor;
  throw new TypeError('expected a tensor');
}
