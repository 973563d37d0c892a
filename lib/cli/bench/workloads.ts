/** What `node-directml bench` measures. */
import type { Graph, Value } from '../../index.js';
import { gemm } from './gemm.js';
import { eachAwaited, filled, thenIdle, type Workload } from './workload.js';

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

const write: Workload = {
  id: 'write',
  limits: [],
  prepare(device) {
    const tensor = device.createTensor(floats);
    const data = new Float32Array(copied / 4).fill(1.5);
    return {
      name: 'write 64 MiB',
      amounts: { transferred: copied },
      round: thenIdle(device, () => tensor.write(data)),
    };
  },
};

const read: Workload = {
  id: 'read',
  limits: [],
  prepare(device) {
    const tensor = filled(device, floats);
    return {
      name: 'read 64 MiB',
      amounts: { transferred: copied },
      round: eachAwaited(() => tensor.read()),
    };
  },
};

const readInto: Workload = {
  id: 'readInto',
  limits: [],
  prepare(device) {
    const tensor = filled(device, floats);
    const target = new Float32Array(copied / 4);
    return {
      name: 'readInto 64 MiB',
      amounts: { transferred: copied },
      round: eachAwaited(() => tensor.readInto(target)),
    };
  },
};

const copy: Workload = {
  id: 'copy',
  limits: ['copy'],
  async prepare(device) {
    const bindings = { inputTensor: filled(device, floats), outputTensor: device.createTensor(floats) };
    const compiled = await device.compile({ type: 'elementWiseIdentity', inputTensor: floats });
    return {
      name: 'elementWiseIdentity, 64 MiB',
      amounts: { bytes: 2 * copied },
      round: thenIdle(device, () => compiled.dispatch(bindings)),
    };
  },
};

const add: Workload = {
  id: 'add',
  limits: ['copy'],
  async prepare(device) {
    const bindings = {
      aTensor: filled(device, floats),
      bTensor: filled(device, floats),
      outputTensor: device.createTensor(floats),
    };
    const compiled = await device.compile({ type: 'elementWiseAdd', aTensor: floats, bTensor: floats });
    return {
      name: 'elementWiseAdd, 2 × 64 MiB',
      amounts: { bytes: 3 * copied },
      round: thenIdle(device, () => compiled.dispatch(bindings)),
    };
  },
};

const softmax: Workload = {
  id: 'softmax',
  limits: ['copy'],
  async prepare(device) {
    const rows = { dataType: 'float32', sizes: [4096, 1024] } as const;
    const bindings = { inputTensor: filled(device, rows), outputTensor: device.createTensor(rows) };
    const compiled = await device.compile({ type: 'activationSoftmax1', inputTensor: rows, axes: [1] });
    return {
      name: 'softmax, 4096×1024',
      amounts: { bytes: 2 * 4 * 4096 * 1024 },
      round: thenIdle(device, () => compiled.dispatch(bindings)),
    };
  },
};

const convolve: Workload = {
  id: 'convolution',
  limits: ['copy', 'gemm-float32'],
  async prepare(device) {
    const bindings = {
      inputTensor: filled(device, images),
      filterTensor: filled(device, filters),
      outputTensor: device.createTensor(images),
    };
    const compiled = await device.compile(convolution);
    return {
      name: 'convolution, 64×56×56, 3×3',
      amounts: {
        bytes: 4 * (2 * 64 * 56 * 56 + 64 * 64 * 9),
        operations: { count: 2 * 64 * 64 * 9 * 56 * 56, dataType: 'float32' },
      },
      round: thenIdle(device, () => compiled.dispatch(bindings)),
    };
  },
};

const scatter: Workload = {
  id: 'scatterNd',
  limits: ['copy'],
  async prepare(device) {
    const all = { dataType: 'float32', sizes: [1, updates] } as const;
    const places = { dataType: 'uint32', sizes: [updates, 1] } as const;
    // An odd factor modulo a power of two visits each place once, and never two neighbours in a row.
    const indices = Uint32Array.from({ length: updates }, (_, i) => (i * 40_503) % updates);
    const bindings = {
      inputTensor: filled(device, all),
      indicesTensor: device.createTensor(places, indices),
      updatesTensor: filled(device, all),
      outputTensor: device.createTensor(all),
    };
    const described = { inputTensor: all, indicesTensor: places, updatesTensor: all };
    const compiled = await device.compile({ type: 'scatterNd', ...described, inputDimensionCount: 1 });
    return {
      name: 'scatterNd, 1M updates',
      // The input is read and the output written, and then each update reads two numbers and writes one.
      amounts: { bytes: 5 * 4 * updates, elements: updates },
      round: thenIdle(device, () => compiled.dispatch(bindings)),
    };
  },
};

const tiny: Workload = {
  id: 'dispatches',
  limits: [],
  async prepare(device) {
    const bindings = { inputTensor: filled(device, few), outputTensor: device.createTensor(few) };
    const compiled = await device.compile({ type: 'activationRelu', inputTensor: few });
    return {
      name: `${inRow} tiny dispatches`,
      amounts: { dispatches: inRow },
      round: thenIdle(device, () => {
        for (let i = 0; i < inRow; i++) compiled.dispatch(bindings);
      }),
    };
  },
};

const roundTrip: Workload = {
  id: 'roundTrip',
  limits: [],
  async prepare(device) {
    const [inputTensor, outputTensor] = [filled(device, few), device.createTensor(few)];
    const compiled = await device.compile({ type: 'activationRelu', inputTensor: few });
    return {
      name: 'dispatch, and read',
      amounts: {},
      round: eachAwaited(() => {
        compiled.dispatch({ inputTensor, outputTensor });
        return outputTensor.read();
      }),
    };
  },
};

const compileOne: Workload = {
  id: 'compile',
  limits: [],
  prepare: (device) => ({
    name: 'compile a convolution',
    amounts: {},
    isOnGpu: false,
    round: eachAwaited(async () => (await device.compile(convolution)).dispose()),
  }),
};

const compileGraph: Workload = {
  id: 'compileGraph',
  limits: [],
  prepare: (device) => ({
    name: `compile ${nodes} nodes`,
    amounts: {},
    isOnGpu: false,
    round: eachAwaited(async () => {
      const graph = device.createGraph();
      (await graph.compile({ y: chain(graph) })).dispose();
    }),
  }),
};

/** A chain of nodes, in which DirectML cannot fuse two neighbours. */
function chain(graph: Graph): Value {
  let value: Value = graph.input('x', { dataType: 'float32', sizes: [1, 1, 64, 64] });
  for (let node = 0; node < nodes; node++) {
    const type = node % 2 === 0 ? 'activationSigmoid' : 'elementWiseSin';
    value = graph.add({ type, inputTensor: value }).outputTensor;
  }
  return value;
}

/** All rows, in their order. */
export const workloads: readonly Workload[] = [
  ...[write, read, readInto, copy, add, softmax, gemm('float32'), gemm('float16'), convolve, scatter],
  ...[tiny, roundTrip, compileOne, compileGraph],
];

export const workloadIds = workloads.map(({ id }) => id);
