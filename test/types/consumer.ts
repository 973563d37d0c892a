/**
 * A user's program. `declarations.long.test.ts` checks it with several versions of TypeScript, as an ECMAScript module and as
 * CommonJS. It needs nothing but the library es2022.
 */
import {
  createDevice,
  DirectMLError,
  fromFloat16Bits,
  toFloat16Bits,
  type Bindings,
  type CompiledGraph,
  type CompiledOperator,
  type Device,
  type OperatorDescriptor,
  type Tensor,
  type TensorDesc,
  type Value,
} from 'node-directml';
import { loadNpy, loadSafetensors, saveSafetensors } from 'node-directml/files';
import { activationRelu, elementWiseMultiply, gemm } from 'node-directml/operators';
import { ml, MLGraphBuilder, tensorOf } from 'node-directml/webnn';

const matrix: TensorDesc = { dataType: 'float32', sizes: [1, 1, 2, 2] };

export async function multiply(device: Device): Promise<Float32Array> {
  const operator = await device.compile({ type: 'gemm', aTensor: matrix, bTensor: matrix, transA: 'none', transB: 'none' });
  const aTensor = device.createTensor({ dataType: 'float32', sizes: [1, 1, 2, 2] }, Float32Array.of(1, 2, 3, 4));
  const { outputTensor } = operator.createOutputs();
  operator.dispatch({ aTensor, bTensor: aTensor, outputTensor });
  operator.dispatch({ aTensor, bTensor: aTensor, cTensor: null, outputTensor: { buffer: outputTensor.buffer, offset: 0 } });
  // @ts-expect-error: nothing is bound
  operator.dispatch({});
  // @ts-expect-error: misspelt
  operator.dispatch({ aTensor, bTensorr: aTensor, outputTensor });
  device.createTensor(operator.descriptor.outputTensor);
  operator[Symbol.dispose]();
  // @ts-expect-error: no such field
  await device.compile({ type: 'gemm', aTensor: matrix, bTensor: matrix, alfa: 1 });
  return aTensor.read();
}

export async function compute(device: Device, weights: Tensor<'float32'>): Promise<readonly Tensor[]> {
  const { outputTensors } = await device.run({ type: 'split', inputTensor: weights, outputTensors: [{}, {}], axis: 0 });
  const { outputTensor } = await device.run({ type: 'elementWiseAbs', inputTensor: weights });
  // @ts-expect-error: no input
  await device.run({ type: 'elementWiseAbs' });
  return [...outputTensors, outputTensor, outputTensor.reshape([4]).transpose()];
}

export async function layer(device: Device, weights: Tensor<'float32'>): Promise<Float32Array> {
  const square = device.jit((x: Tensor<'float32'>) => elementWiseMultiply(x, x));
  const result = await square(activationRelu(gemm(weights, weights, { cTensor: 1, transB: 'transpose' })));
  // @ts-expect-error: misspelt
  void gemm(weights, weights, { transpB: 'transpose' });
  return result.read();
}

export async function load(device: Device): Promise<Tensor> {
  const { weight, bias } = await loadSafetensors(device, 'model.safetensors', { names: ['weight', 'bias'], dataType: 'float16' });
  const all = await loadSafetensors(device, ['1.safetensors', '2.safetensors'], { names: (name) => name.slice(1) || null });
  // @ts-expect-error: no such conversion
  await loadSafetensors(device, 'model.safetensors', { dataType: 'int8' });
  await saveSafetensors('copy.safetensors', { ...all, weight, bias }, { metadata: { format: 'pt' } });
  return loadNpy(device, 'a.npy');
}

export async function rectify(device: Device): Promise<ArrayBuffer> {
  const context = await ml.createContext(device);
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', { dataType: 'float32', shape: [2] });
  const graph = await builder.build({ y: builder.relu(x) });
  const input = await context.createTensor({ dataType: 'float32', shape: [2], writable: true });
  const output = await context.createTensor({ dataType: 'float32', shape: [2], readable: true });
  context.writeTensor(input, Float32Array.of(-1, 1));
  context.dispatch(graph, { x: input }, { y: output });
  // @ts-expect-error: an operand is no tensor
  context.dispatch(graph, { x }, { y: output });
  await tensorOf(output).read();
  return context.readTensor(output);
}

export async function runGraph(device: Device, image: Tensor<'float32'>): Promise<readonly Tensor[]> {
  const graph = device.createGraph<'image'>();
  const x: Value<'float32'> = graph.input('image', { dataType: 'float32', sizes: [1, 4] });
  const weights = graph.constant({ dataType: 'float32', sizes: [4, 2] }, [1, 2, 3, 4, 5, 6, 7, 8], { name: 'weights' });
  const { outputTensor: scores } = graph.add({ type: 'gemm', aTensor: x, bTensor: weights });
  // @ts-expect-error: a tensor is no value
  graph.add({ type: 'elementWiseAbs', inputTensor: image });
  const net = await graph.compile({ scores, features: x.reshape([2, 2]) }, { disableMetacommands: true });
  const { features, scores: computed } = await net.run({ image });
  const numbers: Float32Array = await computed.read();
  device.createTensor({ dataType: 'float32', sizes: [numbers.length] }, numbers);
  net.dispatch({ image, ...net.createOutputs() });
  // @ts-expect-error: misspelt
  await net.run({ imagf: image });
  // @ts-expect-error: misspelt
  device.createTensor(net.outputs.score);
  const again: CompiledGraph<'scores'> = await device.compileGraph(graph.toDescriptor({ scores }));
  const any: CompiledGraph = again;
  any[Symbol.dispose]();
  return [features];
}

export async function dispatchAny(device: Device, descriptor: OperatorDescriptor, bindings: Bindings): Promise<CompiledOperator> {
  const operator = await device.compile(descriptor);
  operator.dispatch(bindings);
  return operator;
}

export async function main(): Promise<string | number> {
  const device = await createDevice({ backend: 'reference' });
  try {
    const halves: Uint16Array = toFloat16Bits([1, 2]);
    const singles: Float32Array = fromFloat16Bits(halves);
    return singles.length + device.info.tensorDataTypes.length;
  } catch (error) {
    return error instanceof DirectMLError ? error.code : 'unknown';
  } finally {
    await device[Symbol.asyncDispose]();
  }
}
