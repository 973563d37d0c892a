/** What `node-directml bench` measures. All data are small numbers: zeros, subnormals and infinities could be faster or slower. */
import type { Device, Graph, Tensor, TensorDesc, Value } from '../../index.js';
import type { Backend } from '../backend-option.js';
import type { Round } from './measure.js';

/** What the work does once, so that its time gives a rate. */
export interface Amount {
  readonly count: number;
  readonly unit: 'bytes' | 'operations' | 'elements' | 'dispatches';
}

export interface Workload {
  /** Its name for arguments and programs. */
  readonly id: string;
  readonly name: string;
  /** Null if only the time says something. */
  readonly amount: Amount | null;
  prepare(device: Device): Round | Promise<Round>;
}

const copied = 64 * 2 ** 20;
const floats = { dataType: 'float32', sizes: [1, copied / 4] } as const;
const few = { dataType: 'float32', sizes: [1, 4] } as const;
const updates = 2 ** 20;
const inRow = 1000;
const nodes = 100;
const images = { dataType: 'float32', sizes: [1, 64, 56, 56] } as const;
const filters = { dataType: 'float32', sizes: [64, 64, 3, 3] } as const;
const convolution = {
  type: 'convolution',
  startPadding: [1, 1],
  endPadding: [1, 1],
  inputTensor: images,
  filterTensor: filters,
} as const;

/** The reference computes on one thread of the CPU, and gets smaller matrices. */
export function workloadsFor(backend: Backend): readonly Workload[] {
  const side = backend === 'reference' ? 256 : 1024;
  return [
    write,
    read,
    copy,
    add,
    gemm('float32', side),
    gemm('float16', side),
    convolve,
    scatter,
    tiny,
    roundTrip,
    compileOne,
    compileGraph,
  ];
}

const write: Workload = {
  id: 'write',
  name: 'write 64 MiB to a tensor',
  amount: { count: copied, unit: 'bytes' },
  prepare(device) {
    const tensor = device.createTensor(floats);
    const data = new Float32Array(copied / 4).fill(1.5);
    return thenIdle(device, () => tensor.write(data));
  },
};

const read: Workload = {
  id: 'read',
  name: 'read 64 MiB of a tensor',
  amount: { count: copied, unit: 'bytes' },
  prepare(device) {
    const tensor = filled(device, floats);
    return eachAwaited(() => tensor.read());
  },
};

const copy: Workload = {
  id: 'copy',
  name: 'elementWiseIdentity of 64 MiB',
  amount: { count: 2 * copied, unit: 'bytes' },
  async prepare(device) {
    const bindings = { inputTensor: filled(device, floats), outputTensor: device.createTensor(floats) };
    const compiled = await device.compile({ type: 'elementWiseIdentity', inputTensor: floats });
    return thenIdle(device, () => compiled.dispatch(bindings));
  },
};

const add: Workload = {
  id: 'add',
  name: 'elementWiseAdd of two times 64 MiB',
  amount: { count: 3 * copied, unit: 'bytes' },
  async prepare(device) {
    const bindings = {
      aTensor: filled(device, floats),
      bTensor: filled(device, floats),
      outputTensor: device.createTensor(floats),
    };
    const compiled = await device.compile({ type: 'elementWiseAdd', aTensor: floats, bTensor: floats });
    return thenIdle(device, () => compiled.dispatch(bindings));
  },
};

function gemm(dataType: 'float32' | 'float16', side: number): Workload {
  const matrix = { dataType, sizes: [side, side] };
  return {
    id: `gemm-${dataType}`,
    name: `gemm of ${side}×${side} in ${dataType}`,
    amount: { count: 2 * side ** 3, unit: 'operations' },
    async prepare(device) {
      const bindings = {
        aTensor: filled(device, matrix),
        bTensor: filled(device, matrix),
        outputTensor: device.createTensor(matrix),
      };
      const compiled = await device.compile({ type: 'gemm', aTensor: matrix, bTensor: matrix });
      return thenIdle(device, () => compiled.dispatch(bindings));
    },
  };
}

const convolve: Workload = {
  id: 'convolution',
  name: 'convolution of 64×56×56 by 64×3×3',
  amount: { count: 2 * 64 * 64 * 9 * 56 * 56, unit: 'operations' },
  async prepare(device) {
    const bindings = {
      inputTensor: filled(device, images),
      filterTensor: filled(device, filters),
      outputTensor: device.createTensor(images),
    };
    const compiled = await device.compile(convolution);
    return thenIdle(device, () => compiled.dispatch(bindings));
  },
};

const scatter: Workload = {
  id: 'scatterNd',
  name: `scatterNd of ${updates} updates`,
  amount: { count: updates, unit: 'elements' },
  async prepare(device) {
    const all = { dataType: 'float32', sizes: [1, updates] } as const;
    const places = { dataType: 'uint32', sizes: [updates, 1] } as const;
    // An odd factor modulo a power of two: each place once, none beside the one before.
    const indices = Uint32Array.from({ length: updates }, (_, i) => (i * 40_503) % updates);
    const bindings = {
      inputTensor: filled(device, all),
      indicesTensor: device.createTensor(places, indices),
      updatesTensor: filled(device, all),
      outputTensor: device.createTensor(all),
    };
    const described = { inputTensor: all, indicesTensor: places, updatesTensor: all };
    const compiled = await device.compile({ type: 'scatterNd', ...described, inputDimensionCount: 1 });
    return thenIdle(device, () => compiled.dispatch(bindings));
  },
};

const tiny: Workload = {
  id: 'dispatches',
  name: `${inRow} tiny dispatches`,
  amount: { count: inRow, unit: 'dispatches' },
  async prepare(device) {
    const bindings = { inputTensor: filled(device, few), outputTensor: device.createTensor(few) };
    const compiled = await device.compile({ type: 'activationRelu', inputTensor: few });
    return thenIdle(device, () => {
      for (let i = 0; i < inRow; i++) compiled.dispatch(bindings);
    });
  },
};

const roundTrip: Workload = {
  id: 'roundTrip',
  name: 'dispatch, and read 4 elements',
  amount: null,
  async prepare(device) {
    const [inputTensor, outputTensor] = [filled(device, few), device.createTensor(few)];
    const compiled = await device.compile({ type: 'activationRelu', inputTensor: few });
    return eachAwaited(() => {
      compiled.dispatch({ inputTensor, outputTensor });
      return outputTensor.read();
    });
  },
};

const compileOne: Workload = {
  id: 'compile',
  name: 'compile a convolution',
  amount: null,
  prepare: (device) => eachAwaited(async () => (await device.compile(convolution)).dispose()),
};

const compileGraph: Workload = {
  id: 'compileGraph',
  name: `build and compile a graph of ${nodes} nodes`,
  amount: null,
  prepare: (device) =>
    eachAwaited(async () => {
      const graph = device.createGraph();
      (await graph.compile({ y: chain(graph) })).dispose();
    }),
};

/** Node after node. No two of them in a row can become one. */
function chain(graph: Graph): Value {
  let value: Value = graph.input('x', { dataType: 'float32', sizes: [1, 1, 64, 64] });
  for (let node = 0; node < nodes; node++) {
    const type = node % 2 === 0 ? 'activationSigmoid' : 'elementWiseSin';
    value = graph.add({ type, inputTensor: value }).outputTensor;
  }
  return value;
}

/** The names of all rows. */
export const workloadIds = workloadsFor('directml').map(({ id }) => id);

/** A tensor of small numbers. */
function filled<Type extends 'float32' | 'float16'>(device: Device, desc: TensorDesc & { dataType: Type }): Tensor<Type> {
  const count = desc.sizes.reduce((product, size) => product * size, 1);
  const tensor = device.createTensor(desc);
  tensor.write(Array.from({ length: count }, (_, i) => ((i * 7) % 5) - 2.5));
  return tensor;
}

/** Does the work several times without waiting, and then waits for all of it. */
function thenIdle(device: Device, work: () => void): Round {
  return async (repeats) => {
    for (let i = 0; i < repeats; i++) work();
    await device.idle();
  };
}

/** Waits for the work each time. */
function eachAwaited(work: () => Promise<unknown>): Round {
  return async (repeats) => {
    for (let i = 0; i < repeats; i++) await work();
  };
}
