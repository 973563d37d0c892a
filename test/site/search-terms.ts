/**
 * What users type into the search of the site, and the page that must come first. If a term fails, mend it where the page gets
 * its words: the names in `lib/operators/`, the text of a guide, or the weights in `docs/.vitepress/search.mjs`.
 */
export const searchTerms: Readonly<Record<string, string>> = {
  // DirectML's own names, in the spelling of a hurry.
  'scatter nd': '/operators/scatterNd',
  'top k': '/operators/topK',
  'gather elements': '/operators/gatherElements',
  roialign: '/operators/roiAlign',
  gathr: '/operators/gather',
  relu: '/operators/activationRelu',
  softmax: '/operators/activationSoftmax',

  // Names in ONNX.
  MatMulNBits: '/operators/dequantize',
  GlobalAveragePool: '/operators/averagePooling',
  'reduce mean': '/operators/reduce',
  concat: '/operators/join',
  'instance norm': '/operators/meanVarianceNormalization',
  gqa: '/operators/multiheadAttention1',

  // Names in WebNN.
  averagePool2d: '/operators/averagePooling',
  conv2d: '/operators/convolution',
  where: '/operators/elementWiseIf',
  'navigator.ml': '/webnn',

  // Names in PyTorch.
  'torch.bmm': '/operators/gemm',
  'torch.stack': '/operators/join',
  'torch.gather': '/operators/gatherElements',
  index_put: '/operators/scatterNd',
  'pixel shuffle': '/operators/depthToSpace1',
  pixel_unshuffle: '/operators/spaceToDepth1',
  silu: '/operators/activationSwish',
  tril: '/operators/diagonalMatrix1',
  layernorm: '/operators/meanVarianceNormalization1',
  'torch.zeros': '/operators/fillValueConstant',

  // Names in NumPy and TensorFlow.
  'np.take': '/operators/gather',
  'np.where': '/operators/elementWiseIf',
  'np.flip': '/operators/slice1',
  cumsum: '/operators/cumulativeSummation',
  argsort: '/operators/topK1',
  arange: '/operators/fillValueSequence',
  'tf.concat': '/operators/join',
  'tf.nn.relu': '/operators/activationRelu',

  // What an operator is for.
  'batch matmul': '/operators/gemm',
  matmul: '/operators/gemm',
  'matrix multiplication': '/operators/gemm',
  'fully connected layer': '/operators/gemm',
  'layer norm': '/operators/meanVarianceNormalization1',
  rmsnorm: '/operators/meanVarianceNormalization2',
  'batch norm': '/operators/batchNormalization',
  'kv cache': '/operators/multiheadAttention1',
  'scaled dot product attention': '/operators/multiheadAttention',
  'embedding lookup': '/operators/gather',
  deconvolution: '/operators/convolution',
  'depthwise convolutions': '/operators/convolution',
  'one hot encoding': '/operators/oneHot',
  'causal mask': '/operators/diagonalMatrix1',
  'random numbers': '/operators/randomGenerator',
  im2col: '/operators/unfold',
  antialiasing: '/operators/resample3',
  'prefix sum': '/operators/cumulativeSummation',
  'int4 weights': '/operators/dequantize',

  // Subjects of guides.
  einsum: '/array-functions',
  masked: '/operators/multiheadAttention',
  'memory leak': '/guides/tensors',
  fft: '/array-functions',
  std: '/array-functions',
  'cross entropy': '/layer-functions',
  numpy: '/guides/from-tensorflow',
  'half precision': '/guides/float16',
  fp16: '/guides/float16',
  'nchw nhwc': '/guides/layouts',
  broadcasting: '/guides/broadcasting',
  'driver reset': '/guides/lost-devices',
  'device removed': '/guides/lost-devices',
  electron: '/guides/electron',
  webpack: '/guides/bundlers',
  'worker threads': '/guides/threads',
  safetensors: '/guides/weights',
  'onnx model': '/guides/onnx',
  'transformers.js': '/guides/transformers',
  'choose gpu': '/guides/device',
  'maintenance mode': '/support',
  license: '/license',

  // Errors, and exports of the package.
  80070057: '/guides/errors',
  ERR_SIZES: '/guides/errors',
  err_device_lost: '/guides/lost-devices',
  DXGI_ERROR_DEVICE_REMOVED: '/guides/lost-devices',
  createDevice: '/api/node-directml/functions/createDevice',
  'list adapters': '/api/node-directml/functions/listAdapters',
  Tensor: '/api/node-directml/classes/Tensor',
  TensorDesc: '/api/node-directml/interfaces/TensorDesc',
};
