/** Every error of devices, buffers, tensors and operators: the code and the exact message. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Bindings,
  type CompileOptions,
  createDevice,
  listAdapters,
  minimumTensorSizeInBytes,
  type CompiledOperator,
  type Device,
  type DirectMLBuffer,
  type Tensor,
} from 'node-directml';
import { backends } from '../support/devices.js';
import { gist, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';
import { example } from '../support/scatter-nd.js';

const float32 = { dataType: 'float32', sizes: [8] } as const;
const square = { dataType: 'float32', sizes: [2, 2] } as const;
const long = 'x'.repeat(2 ** 20);
/** A signal whose method is there only once. */
const goneSignal = (calls = 0) => ({
  aborted: false,
  get addEventListener() {
    return calls++ === 0 ? () => undefined : 7;
  },
  removeEventListener: () => undefined,
});
const cut = `${'x'.repeat(57)}...`;

interface Objects {
  device: Device;
  buffer: DirectMLBuffer;
  tensor: Tensor<'float32'>;
  operator: CompiledOperator;
  gone: { device: Device; buffer: DirectMLBuffer; operator: CompiledOperator };
  foreign: DirectMLBuffer;
}

// One line per message, however long.
// prettier-ignore
const messages: [call: (objects: Objects) => unknown, code: string, message: string][] = [
  [() => createDevice(untyped(null)), 'ERR_INVALID_ARGUMENT', 'createDevice: options: expected an object, given null'],
  [() => createDevice(untyped(7)), 'ERR_INVALID_ARGUMENT', 'createDevice: options: expected an object, given 7'],
  [() => createDevice(untyped({ [long]: 1 })), 'ERR_INVALID_ARGUMENT', `createDevice: options.${cut}: expected one of backend, adapter, powerPreference, gpuTimeout, memoryLimit, external, featureLevel, debug, directmlPath, addonPath, thread, given '${cut}'`],
  [() => createDevice(untyped({ backend: long })), 'ERR_INVALID_ARGUMENT', `createDevice: options.backend: expected 'directml' or 'reference', given '${cut}'`],
  [() => createDevice(untyped({ backend: null })), 'ERR_INVALID_ARGUMENT', `createDevice: options.backend: expected 'directml' or 'reference', given null`],
  [() => createDevice(untyped({ debug: 'yes' })), 'ERR_INVALID_ARGUMENT', `createDevice: options.debug: expected true or false, given 'yes'`],
  [() => createDevice(untyped({ featureLevel: '7.0' })), 'ERR_INVALID_ARGUMENT', `createDevice: options.featureLevel: expected one of 1.0, 2.0, 2.1, 3.0, 3.1, 4.0, 4.1, 5.0, 5.1, 5.2, 6.0, 6.1, 6.2, 6.3, 6.4, given '7.0'`],
  [() => createDevice(untyped({ featureLevel: 5 })), 'ERR_INVALID_ARGUMENT', 'createDevice: options.featureLevel: expected one of 1.0, 2.0, 2.1, 3.0, 3.1, 4.0, 4.1, 5.0, 5.1, 5.2, 6.0, 6.1, 6.2, 6.3, 6.4, given 5'],
  [() => createDevice(untyped({ featureLevel: 5.1 })), 'ERR_INVALID_ARGUMENT', 'createDevice: options.featureLevel: expected one of 1.0, 2.0, 2.1, 3.0, 3.1, 4.0, 4.1, 5.0, 5.1, 5.2, 6.0, 6.1, 6.2, 6.3, 6.4, given 5.1'],
  [() => createDevice(untyped({ featureLevel: null })), 'ERR_INVALID_ARGUMENT', 'createDevice: options.featureLevel: expected one of 1.0, 2.0, 2.1, 3.0, 3.1, 4.0, 4.1, 5.0, 5.1, 5.2, 6.0, 6.1, 6.2, 6.3, 6.4, given null'],
  [() => createDevice(untyped({ directmlPath: 7 })), 'ERR_INVALID_ARGUMENT', 'createDevice: options.directmlPath: expected an absolute Windows path, given 7'],
  [() => createDevice({ backend: 'reference', directmlPath: 'C:\\DirectML.dll' }), 'ERR_INVALID_ARGUMENT', `createDevice: options.directmlPath: expected nothing with the reference backend, given 'C:\\DirectML.dll'`],
  [() => createDevice(untyped({ addonPath: 7 })), 'ERR_INVALID_ARGUMENT', 'createDevice: options.addonPath: expected the absolute path of a .node file, given 7'],
  [() => listAdapters(untyped({ addonPath: 'node-directml.node' })), 'ERR_INVALID_ARGUMENT', `listAdapters: options.addonPath: expected the absolute path of a .node file, given 'node-directml.node'`],
  [() => listAdapters(untyped({ path: 7 })), 'ERR_INVALID_ARGUMENT', `listAdapters: options.path: expected one of addonPath, given 'path' (did you mean 'addonPath'?)`],
  [() => createDevice({ backend: 'reference', adapter: '00000000-00000000' }), 'ERR_INVALID_ARGUMENT', `createDevice: options.adapter: expected nothing with the reference backend, given '00000000-00000000'`],
  [() => createDevice({ backend: 'directml', adapter: untyped({ luid: 7 }) }), 'ERR_INVALID_ARGUMENT', 'createDevice: options.adapter: expected one of listAdapters() or its luid, given an object'],
  [() => createDevice({ backend: 'directml', adapter: untyped(null) }), 'ERR_INVALID_ARGUMENT', 'createDevice: options.adapter: expected one of listAdapters() or its luid, given null'],
  [() => createDevice({ backend: 'directml', adapter: '0000000-000000000' }), 'ERR_INVALID_ARGUMENT', `createDevice: options.adapter: expected one of listAdapters() or its luid, given '0000000-000000000'`],
  [() => createDevice({ backend: 'directml', adapter: 'g0000000-00000000' }), 'ERR_INVALID_ARGUMENT', `createDevice: options.adapter: expected one of listAdapters() or its luid, given 'g0000000-00000000'`],
  [() => createDevice({ backend: 'directml', adapter: ' 00000000-00000000' }), 'ERR_INVALID_ARGUMENT', `createDevice: options.adapter: expected one of listAdapters() or its luid, given ' 00000000-00000000'`],
  [() => createDevice({ backend: 'directml', adapter: '00000000-00000000 ' }), 'ERR_INVALID_ARGUMENT', `createDevice: options.adapter: expected one of listAdapters() or its luid, given '00000000-00000000 '`],

  [({ device }) => device.createBuffer(0), 'ERR_INVALID_ARGUMENT', 'createBuffer: sizeInBytes: expected a whole number from 1 on, given 0'],
  [({ device }) => device.createBuffer(-0), 'ERR_INVALID_ARGUMENT', 'createBuffer: sizeInBytes: expected a whole number from 1 on, given -0'],
  [({ device }) => device.createBuffer(1.5), 'ERR_INVALID_ARGUMENT', 'createBuffer: sizeInBytes: expected a whole number from 1 on, given 1.5'],
  [({ device }) => device.createBuffer(2 ** 53), 'ERR_INVALID_ARGUMENT', 'createBuffer: sizeInBytes: expected a whole number from 1 to 9007199254740991, given 9007199254740992'],
  [({ device }) => device.createBuffer(untyped(2n ** 1000n)), 'ERR_INVALID_ARGUMENT', 'createBuffer: sizeInBytes: expected a whole number from 1 on, given a bigint of more than 128 bits'],
  [({ device }) => device.createBuffer(untyped(-(2n ** 64n))), 'ERR_INVALID_ARGUMENT', 'createBuffer: sizeInBytes: expected a whole number from 1 on, given -18446744073709551616n'],
  [({ device }) => device.createBuffer(16, untyped('label')), 'ERR_INVALID_ARGUMENT', `createBuffer: options: expected an object, given 'label'`],
  [({ device }) => device.createBuffer(16, untyped({ label: 7 })), 'ERR_INVALID_ARGUMENT', 'createBuffer: options.label: expected a string, given 7'],
  [({ device }) => device.createBuffer(16, untyped({ label: Symbol('s') })), 'ERR_INVALID_ARGUMENT', 'createBuffer: options.label: expected a string, given Symbol(s)'],
  [({ device }) => device.createBuffer(16, untyped({ label: null })), 'ERR_INVALID_ARGUMENT', 'createBuffer: options.label: expected a string, given null'],
  [({ device }) => device.createBuffer(16, untyped({ name: 'label' })), 'ERR_INVALID_ARGUMENT', `createBuffer: options.name: expected one of label, shared, given 'name'`],

  [({ device }) => device.createTensor(untyped(null)), 'ERR_INVALID_DESCRIPTOR', 'createTensor: descriptor: expected a tensor description { dataType, sizes }, given null'],
  [({ device }) => device.createTensor(untyped([])), 'ERR_INVALID_DESCRIPTOR', 'createTensor: descriptor: expected a tensor description { dataType, sizes }, given an empty array'],
  [({ device }) => device.createTensor(untyped({ sizes: [8] })), 'ERR_MISSING_FIELD', `createTensor: dataType: expected one of 'float32', 'float16', 'uint32', 'uint16', 'uint8', 'int32', 'int16', 'int8', 'float64', 'uint64', 'int64', 'uint4', 'int4', given nothing`],
  [({ device }) => device.createTensor(untyped({ dataType: long, sizes: [8] })), 'ERR_DATA_TYPE', `createTensor: dataType: expected one of 'float32', 'float16', 'uint32', 'uint16', 'uint8', 'int32', 'int16', 'int8', 'float64', 'uint64', 'int64', 'uint4', 'int4', given '${cut}'`],
  [({ device }) => device.createTensor(untyped({ ...float32, [long]: 1 })), 'ERR_UNKNOWN_FIELD', `createTensor: ${cut}: expected one of dataType, sizes, strides, flags, totalTensorSizeInBytes, guaranteedBaseOffsetAlignment, dimensionCount, given '${cut}'`],
  [({ device }) => device.createTensor(untyped({ dataType: 'float32' })), 'ERR_MISSING_FIELD', 'createTensor: sizes: expected an array of 1 to 8 sizes, given nothing'],
  [({ device }) => device.createTensor(float32, untyped({ buffer: {} })), 'ERR_INVALID_ARGUMENT', 'createTensor: buffer: expected a buffer of this device, given an object'],
  [({ device, buffer }) => device.createTensor(float32, untyped({ buffer, size: 4 })), 'ERR_INVALID_ARGUMENT', `createTensor: size: expected one of buffer, offset, given 'size'`],
  [({ device, buffer }) => device.createTensor(float32, { buffer, offset: 8 }), 'ERR_BINDING_RANGE', 'createTensor: offset: expected a multiple of 16, given 8'],
  [({ device, buffer }) => device.createTensor(float32, { buffer, offset: -16 }), 'ERR_INVALID_ARGUMENT', 'createTensor: offset: expected a whole number from 0 on, given -16'],
  [({ device, buffer }) => device.createTensor(float32, { buffer, offset: 48 }), 'ERR_BINDING_RANGE', `createTensor: buffer: expected a range within the buffer's 64 bytes, given bytes 48 to 80`],
  [({ device, buffer }) => device.createTensor(float32, untyped({ buffer, offset: null })), 'ERR_INVALID_ARGUMENT', 'createTensor: offset: expected a whole number from 0 on, given null'],
  [({ device, foreign }) => device.createTensor(float32, { buffer: foreign }), 'ERR_WRONG_DEVICE', `createTensor: buffer: expected a buffer of this device, given another device's`],
  [({ device, gone }) => device.createTensor(float32, { buffer: gone.buffer }), 'ERR_DISPOSED', 'createTensor: the buffer is disposed'],
  [({ device }) => device.createTensor(float32, untyped(7)), 'ERR_INVALID_ARGUMENT', 'createTensor: data: expected an array of numbers, a typed array, a DataView or an ArrayBuffer, given 7'],
  [({ device }) => device.createTensor(float32, new Float32Array(7)), 'ERR_SIZES', 'createTensor: data: expected 8 elements (32 bytes) for sizes [8], given 7 (28 bytes)'],
  [({ device }) => device.createTensor(float32, untyped(new Int32Array(8))), 'ERR_DATA_TYPE', `createTensor: data: expected a Float32Array for float32, given an Int32Array (Float32Array.from(data) has its numbers)`],
  [({ device }) => device.createTensor({ dataType: 'float16', sizes: [2] }, untyped(new Int16Array(2))), 'ERR_DATA_TYPE', `createTensor: data: expected a Float16Array or Uint16Array for float16, given an Int16Array (toFloat16Bits(data) has its numbers)`],
  [({ device }) => device.createTensor({ dataType: 'uint4', sizes: [2, 2] }, new Uint8Array(3)), 'ERR_SIZES', 'createTensor: data: expected 4 elements (2 bytes) for sizes [2, 2], given 6 (3 bytes)'],

  [({ tensor }) => tensor.write(new Float32Array(9)), 'ERR_SIZES', 'tensor.write: data: expected 8 elements (32 bytes) for sizes [8], given 9 (36 bytes)'],
  [({ tensor }) => tensor.write(new ArrayBuffer(31)), 'ERR_SIZES', 'tensor.write: data: expected 8 elements (32 bytes) for sizes [8], given 7.75 (31 bytes)'],
  [({ tensor }) => tensor.write(untyped(new Float64Array(4))), 'ERR_DATA_TYPE', `tensor.write: data: expected a Float32Array for float32, given a Float64Array (Float32Array.from(data) has its numbers)`],
  [({ tensor }) => tensor.write(untyped(Buffer.alloc(32))), 'ERR_DATA_TYPE', 'tensor.write: data: expected a Float32Array for float32, given a Buffer of Node.js (new DataView(data.buffer, data.byteOffset, data.byteLength) stands for its bytes)'],
  [({ tensor }) => tensor.write(untyped(new Uint8Array(32))), 'ERR_DATA_TYPE', 'tensor.write: data: expected a Float32Array for float32, given a Uint8Array (Float32Array.from(data) has its numbers, new DataView(data.buffer, data.byteOffset, data.byteLength) stands for its bytes)'],
  [({ tensor }) => tensor.write(untyped(new BigInt64Array(8))), 'ERR_DATA_TYPE', 'tensor.write: data: expected a Float32Array for float32, given a BigInt64Array (Array.from(data) has its numbers)'],
  [({ device }) => device.createTensor({ dataType: 'int64', sizes: [2] }, untyped(new Float32Array(2))), 'ERR_DATA_TYPE', 'createTensor: data: expected a BigInt64Array for int64, given a Float32Array (Array.from(data) has its numbers)'],
  [({ device }) => device.createTensor({ dataType: 'uint8', sizes: [2] }, [1, 300]), 'ERR_OUT_OF_RANGE', 'createTensor: data[1]: expected a whole number from 0 to 255, given 300'],
  [({ tensor }) => tensor.readInto(untyped<Float32Array>(Buffer.alloc(32))), 'ERR_DATA_TYPE', 'tensor.readInto: target: expected a Float32Array for float32, given a Buffer of Node.js (new DataView(target.buffer, target.byteOffset, target.byteLength) stands for its bytes)'],
  [({ tensor }) => tensor.readInto(untyped<Float32Array>('text')), 'ERR_INVALID_ARGUMENT', `tensor.readInto: target: expected a typed array, a DataView or an ArrayBuffer, given 'text'`],
  [({ tensor }) => tensor.readInto(untyped<Float32Array>([])), 'ERR_INVALID_ARGUMENT', 'tensor.readInto: target: expected memory: no plain array, given an empty array'],
  [({ buffer }) => buffer.readInto(untyped<Uint8Array>('text')), 'ERR_INVALID_ARGUMENT', `buffer.readInto: target: expected a typed array, a DataView or an ArrayBuffer, given 'text'`],
  [({ device }) => device.jit(untyped<() => Tensor>(() => 3))(), 'ERR_INVALID_GRAPH', 'jit: result: expected at least one tensor, given 3'],
  [({ tensor }) => tensor.write(untyped('text')), 'ERR_INVALID_ARGUMENT', `tensor.write: data: expected an array of numbers, a typed array, a DataView or an ArrayBuffer, given 'text'`],
  [({ tensor }) => tensor.write(new Uint8Array(3).buffer, { offset: 0 }), 'ERR_SIZES', 'tensor.write: data: expected whole elements of 4 bytes, given 3 bytes'],
  [({ tensor }) => tensor.write([1, 2], { offset: 7 }), 'ERR_OUT_OF_RANGE', `tensor.write: options.offset: expected a part of the tensor's 8 elements, given elements 7 to 9`],
  [({ tensor }) => tensor.read({ offset: 1.5 }), 'ERR_INVALID_ARGUMENT', 'tensor.read: options.offset: expected a whole number from 0 on, given 1.5'],
  [({ tensor }) => tensor.read({ offset: 7, length: 2 }), 'ERR_OUT_OF_RANGE', `tensor.read: options.offset: expected a part of the tensor's 8 elements, given elements 7 to 9`],
  [({ device }) => device.createTensor({ dataType: 'uint4', sizes: [5] }).write([1, 2, 3], { offset: 0 }), 'ERR_SIZES', 'tensor.write: data: expected whole bytes: an even number of elements, given 3'],
  [({ device, tensor }) => device.createTensor(square, tensor), 'ERR_SIZES', 'createTensor: data: expected a tensor of sizes [2, 2], given [8]'],
  [({ device, tensor }) => device.createTensor({ dataType: 'float32', sizes: [2, 4] }, tensor), 'ERR_SIZES', 'createTensor: data: expected a tensor of sizes [2, 4], given [8] (tensor.reshape([2, 4]) has them)'],
  [({ device, tensor }) => device.createTensor(float32, tensor.reshape([2, 4]).transpose()), 'ERR_SIZES', 'createTensor: data: expected a tensor of sizes [8], given [4, 2]'],
  [({ device, tensor }) => device.createTensor({ dataType: 'float32', sizes: [4, 2] }, tensor.reshape([2, 4]).transpose()), 'ERR_STRIDES', 'createTensor: data: expected a tensor of strides [2, 1], given [1, 4] (the operator elementWiseIdentity copies a tensor into another layout)'],
  [({ device }) => device.createTensor(square, untyped([[1, 2], [3, 4]])), 'ERR_SIZES', 'createTensor: data: expected 4 elements, given an array of 2 arrays (all elements in one array, without inner ones)'],
  [({ device }) => device.createTensor(square, untyped([[1, 2, 3, 4]])), 'ERR_SIZES', 'createTensor: data: expected 4 elements, given an array of 1 array (all elements in one array, without inner ones)'],
  [({ device }) => device.createTensor(square, [1, 2, 3]), 'ERR_SIZES', 'createTensor: data: expected 4 elements, given an array of 3 numbers'],
  [({ buffer }) => buffer.write(untyped([1])), 'ERR_INVALID_ARGUMENT', 'buffer.write: data: expected a typed array, a DataView or an ArrayBuffer, given an array of 1 number'],
  [({ buffer }) => buffer.write(new Uint8Array(1), 64), 'ERR_OUT_OF_RANGE', 'buffer.write: offset: expected a range within the 64 bytes of the buffer, given bytes 64 to 65'],
  [({ buffer }) => buffer.write(new Uint8Array(1), NaN), 'ERR_INVALID_ARGUMENT', 'buffer.write: offset: expected a whole number from 0 on, given NaN'],
  [({ buffer }) => buffer.read(1, 64), 'ERR_OUT_OF_RANGE', 'buffer.read: offset: expected a range within the 64 bytes of the buffer, given bytes 1 to 65'],
  [({ buffer }) => buffer.read(untyped('0')), 'ERR_INVALID_ARGUMENT', `buffer.read: offset: expected a whole number from 0 on, given '0'`],
  [({ buffer }) => buffer.read(0, -1), 'ERR_INVALID_ARGUMENT', 'buffer.read: sizeInBytes: expected a whole number from 0 on, given -1'],
  [({ device }) => device.createBuffer(4, { label: long }).write(new Uint8Array(5)), 'ERR_OUT_OF_RANGE', `buffer.write: offset: expected a range within the 4 bytes of buffer '${cut}', given bytes 0 to 5`],
  [({ device }) => device.createBuffer(4, { label: long }).read(5), 'ERR_OUT_OF_RANGE', `buffer.read: offset: expected a range within the 4 bytes of buffer '${cut}', given bytes 5 to 5`],
  [({ gone }) => gone.buffer.write(new Uint8Array(1)), 'ERR_DISPOSED', 'buffer.write: the buffer is disposed'],
  [({ gone }) => gone.buffer.read(), 'ERR_DISPOSED', 'buffer.read: the buffer is disposed'],

  [({ device }) => device.compile(untyped<never>(null)), 'ERR_INVALID_DESCRIPTOR', 'compile: descriptor: expected an operator descriptor, given null'],
  [({ device }) => device.compile(untyped<never>([])), 'ERR_INVALID_DESCRIPTOR', 'compile: descriptor: expected an operator descriptor, given an empty array'],
  [({ device }) => device.compile(untyped<never>({ type: long })), 'ERR_UNKNOWN_OPERATOR', `compile: type: expected an operator's type, such as 'scatterNd', given '${cut}'`],
  [({ device }) => device.compile(untyped<never>({ ...example, [long]: 1 })), 'ERR_UNKNOWN_FIELD', `scatterNd: ${cut}: expected one of type, inputTensor, indicesTensor, updatesTensor, outputTensor, inputDimensionCount, indicesDimensionCount, given '${cut}'`],
  [({ device }) => device.compile({ type: 'elementWiseIdentity', inputTensor: square, outputTensor: { ...square, strides: [0, 1] } }), 'ERR_STRIDES', 'elementWiseIdentity: outputTensor.strides[0]: expected at least 1 for an output, given 0 (only inputs can be broadcast)'],
  [({ device }) => device.compile(example, untyped<CompileOptions>(true)), 'ERR_INVALID_ARGUMENT', 'compile: options: expected an object, given true'],
  [({ device }) => device.compile(example, untyped<CompileOptions>({ disableMetacommands: 1 })), 'ERR_INVALID_ARGUMENT', 'compile: options.disableMetacommands: expected true or false, given 1'],
  [({ device }) => device.compile(example, untyped<CompileOptions>({ flags: 1 })), 'ERR_INVALID_ARGUMENT', `compile: options.flags: expected one of label, signal, allowHalfPrecisionComputation, disableMetacommands, initializationInputs, given 'flags'`],
  [({ device }) => device.compile(example, { initializationInputs: untyped<Bindings>(7) }), 'ERR_INVALID_ARGUMENT', 'scatterNd: options.initializationInputs: expected an object with a binding per tensor, given 7'],
  [({ device }) => device.compile(example, { initializationInputs: untyped<Bindings>(() => ({})) }), 'ERR_INVALID_ARGUMENT', 'scatterNd: options.initializationInputs: expected an object with a binding per tensor, given a function'],
  [({ device, tensor }) => device.compile(example, { initializationInputs: { inputTensor: tensor } }), 'ERR_UNKNOWN_BINDING', `scatterNd: inputTensor: expected no binding, for its flags are not 'ownedByDml', given a tensor`],

  [({ device }) => device.idle({ signal: untyped(5) }), 'ERR_INVALID_ARGUMENT', 'idle: options.signal: expected an AbortSignal, given 5'],
  [({ device }) => device.idle({ signal: untyped(null) }), 'ERR_INVALID_ARGUMENT', 'idle: options.signal: expected an AbortSignal, given null'],
  [({ device }) => device.idle({ signal: untyped({ aborted: false, addEventListener() {} }) }), 'ERR_INVALID_ARGUMENT', 'idle: options.signal: expected an AbortSignal, given an object'],
  [({ device }) => device.idle({ signal: untyped(goneSignal()) }), 'ERR_INVALID_ARGUMENT', 'idle: options.signal: expected an AbortSignal, given an object'],

  [({ operator }) => operator.dispatch(untyped(undefined)), 'ERR_INVALID_ARGUMENT', 'scatterNd: bindings: expected an object with a binding per tensor: { inputTensor, indicesTensor, updatesTensor, outputTensor }, given nothing'],
  [({ operator }) => operator.dispatch(untyped('text')), 'ERR_INVALID_ARGUMENT', `scatterNd: bindings: expected an object with a binding per tensor: { inputTensor, indicesTensor, updatesTensor, outputTensor }, given 'text'`],
  [({ operator, tensor }) => operator.dispatch(untyped(Object.assign(() => 0, { inputTensor: tensor, indicesTensor: tensor, updatesTensor: tensor, outputTensor: tensor }))), 'ERR_INVALID_ARGUMENT', 'scatterNd: bindings: expected an object with a binding per tensor: { inputTensor, indicesTensor, updatesTensor, outputTensor }, given a function'],
  [({ operator, tensor }) => operator.dispatch({ [long]: tensor }), 'ERR_UNKNOWN_BINDING', `scatterNd: ${cut}: expected one of inputTensor, indicesTensor, updatesTensor, outputTensor, given '${cut}'`],
  [({ operator }) => operator.dispatch({}), 'ERR_MISSING_BINDING', 'scatterNd: inputTensor: expected a tensor or buffer, given nothing'],
  [({ operator }) => operator.dispatch({ inputTensor: untyped(7) }), 'ERR_INVALID_ARGUMENT', 'scatterNd: inputTensor: expected a tensor, a buffer or { buffer, offset, size }, given 7 (device.createTensor({ dataType, sizes }, data) makes a tensor of numbers)'],
  [({ operator, buffer }) => operator.dispatch({ inputTensor: untyped({ buffer, [long]: 1 }) }), 'ERR_INVALID_ARGUMENT', `scatterNd: inputTensor.${cut}: expected one of buffer, offset, size, given '${cut}'`],
  [({ operator, buffer }) => operator.dispatch({ inputTensor: { buffer, offset: -16 } }), 'ERR_BINDING_RANGE', 'scatterNd: inputTensor.offset: expected a whole number of bytes, given -16'],
  [({ operator, device, buffer }) => operator.dispatch(others(device, { buffer, offset: 8 })), 'ERR_BINDING_RANGE', 'scatterNd: inputTensor.offset: expected a multiple of 16, given 8'],
  [({ operator, device, buffer }) => operator.dispatch(others(device, { buffer, offset: 48 })), 'ERR_BINDING_RANGE', 'scatterNd: inputTensor: expected at least 32 bytes, given 16'],
  [({ operator, device, buffer }) => operator.dispatch(others(device, { buffer, offset: 0, size: 65 })), 'ERR_BINDING_RANGE', `scatterNd: inputTensor: expected a range within the buffer's 64 bytes, given bytes 0 to 65`],
  [({ operator, device, buffer }) => operator.dispatch(others(device, { buffer, size: 31 })), 'ERR_BINDING_RANGE', 'scatterNd: inputTensor: expected at least 32 bytes, given 31'],
  [({ operator, device, foreign }) => operator.dispatch(others(device, foreign)), 'ERR_WRONG_DEVICE', `scatterNd: inputTensor: expected a tensor or buffer of the device that compiled the operator, given another device's`],
  [({ operator, device, gone }) => operator.dispatch(others(device, gone.buffer)), 'ERR_DISPOSED', 'scatterNd: inputTensor: expected a live tensor or buffer, given one that is disposed'],
  [({ operator, device }) => operator.dispatch(others(device, device.createTensor({ dataType: 'int32', sizes: [8] }))), 'ERR_DATA_TYPE', `scatterNd: inputTensor.dataType: expected 'float32', as the descriptor says, given 'int32'`],
  [({ gone }) => gone.operator.dispatch({}), 'ERR_DISPOSED', 'scatterNd: dispatch: the operator is disposed'],
  [({ gone }) => gone.operator.dispatchChecked({}), 'ERR_DISPOSED', 'scatterNd: dispatchChecked: the operator is disposed'],

  [({ gone }) => gone.device.createBuffer(16), 'ERR_DISPOSED', 'createBuffer: the device is disposed'],
  [({ gone }) => gone.device.createTensor(float32), 'ERR_DISPOSED', 'createTensor: the device is disposed'],
  [({ gone }) => gone.device.tensor([1]), 'ERR_DISPOSED', 'device.tensor: the device is disposed'],
  [({ gone }) => gone.device.compile(example), 'ERR_DISPOSED', 'compile: the device is disposed'],
  [({ gone, tensor }) => gone.device.prepare({ type: 'activationRelu', inputTensor: tensor }), 'ERR_DISPOSED', 'prepare: the device is disposed'],
  [({ gone, tensor }) => gone.device.run({ type: 'activationRelu', inputTensor: tensor }), 'ERR_DISPOSED', 'run: the device is disposed'],
  [({ gone }) => gone.device.createGraph(), 'ERR_DISPOSED', 'createGraph: the device is disposed'],
  [({ gone }) => gone.device.compileGraph({ nodes: {}, outputs: {} }), 'ERR_DISPOSED', 'compileGraph: the device is disposed'],
  [({ gone }) => gone.device.jit((x: Tensor) => x), 'ERR_DISPOSED', 'jit: the device is disposed'],
  [({ gone }) => gone.device.record(() => undefined), 'ERR_DISPOSED', 'record: the device is disposed'],
  [({ gone }) => gone.device.scope(() => undefined), 'ERR_DISPOSED', 'scope: the device is disposed'],
  [({ gone }) => gone.device.profile(() => undefined), 'ERR_DISPOSED', 'profile: the device is disposed'],
  [({ gone }) => gone.device.memory(), 'ERR_DISPOSED', 'memory: the device is disposed'],
  [({ gone }) => gone.device.onBudgetShrink(() => undefined), 'ERR_DISPOSED', 'onBudgetShrink: the device is disposed'],
  [({ gone }) => gone.device.simulateLoss(), 'ERR_DISPOSED', 'simulateLoss: the device is disposed'],
  [({ gone }) => gone.device.submit(), 'ERR_DISPOSED', 'submit: the device is disposed'],
  [({ gone }) => gone.device.idle(), 'ERR_DISPOSED', 'idle: the device is disposed'],

  [() => minimumTensorSizeInBytes(untyped('float31'), [1]), 'ERR_DATA_TYPE', `minimumTensorSizeInBytes: dataType: expected one of 'float32', 'float16', 'uint32', 'uint16', 'uint8', 'int32', 'int16', 'int8', 'float64', 'uint64', 'int64', 'uint4', 'int4', given 'float31' (did you mean 'float32'?)`],
  [() => minimumTensorSizeInBytes('float32', untyped(null)), 'ERR_INVALID_DESCRIPTOR', 'minimumTensorSizeInBytes: sizes: expected an array of 1 to 8 sizes, given null'],
  [() => minimumTensorSizeInBytes('float32', [0]), 'ERR_SIZES', 'minimumTensorSizeInBytes: sizes[0]: expected at least 1, given 0'],
  [() => minimumTensorSizeInBytes('float32', [2, 2], [1]), 'ERR_STRIDES', 'minimumTensorSizeInBytes: strides: expected 2 strides, one per dimension, given 1'],
];

function others(
  device: Device,
  inputTensor: Tensor | DirectMLBuffer | { buffer: DirectMLBuffer; offset?: number; size?: number },
) {
  return {
    inputTensor,
    indicesTensor: device.createBuffer(16),
    updatesTensor: device.createBuffer(16),
    outputTensor: device.createBuffer(32),
  };
}

describe.each(backends)('on %s', (backend) => {
  let objects: Objects;
  let devices: readonly Device[] = [];

  beforeAll(async () => {
    const [device, other, gone] = [
      await createDevice({ backend }),
      await createDevice({ backend }),
      await createDevice({ backend }),
    ];
    devices = [device, other, gone];
    const [buffer, disposed, operator, ended] = [
      device.createBuffer(64),
      device.createBuffer(64),
      await device.compile(example),
      await device.compile(example),
    ];
    for (const object of [gone, disposed, ended]) object.dispose();
    const tensor = device.createTensor(float32);
    objects = {
      device,
      buffer,
      tensor,
      operator,
      gone: { device: gone, buffer: disposed, operator: ended },
      foreign: other.createBuffer(64),
    };
  });

  afterAll(() => {
    for (const device of devices) device.dispose();
  });

  test.each(messages.map(([call, code, message]) => ({ call, code, message })))('$message', async ({ call, code, message }) => {
    const error = await rejected((async () => call(objects))());
    expect([error.code, error.message]).toEqual([code, message]);
    gist(error);
    expect(error.message.length).toBeLessThan(500);
  });
});

test('minimumTensorSizeInBytes names the wrong field, without an operator', () => {
  expect(minimumTensorSizeInBytes('uint8', [5])).toBe(8);
  expect(minimumTensorSizeInBytes('uint4', [2, 3])).toBe(4);
  expect(minimumTensorSizeInBytes('float64', [2, 3], [4, 1])).toBe(56);
  expect(minimumTensorSizeInBytes('float32', [2, 3], null)).toBe(24);
});
