/** Labels of tensors, compiled operators, graphs and recordings, and the errors that show them; on each backend. */
import { describe, expect, test } from 'vitest';
import { createDevice } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { polluted, untyped } from '../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const abs = (size: number) => ({ type: 'elementWiseAbs', inputTensor: float32(size) }) as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  const graphOf = (size: number) => {
    const graph = device().createGraph();
    const { outputTensor: y } = graph.add({ type: 'elementWiseAbs', inputTensor: graph.input('x', float32(size)) });
    return { graph, y };
  };

  test('labels can be read, and are empty by default', async () => {
    const { graph, y } = graphOf(2);
    const tensor = device().createTensor(float32(2), [1, 2], { label: 'a' });
    const labelled = {
      tensor,
      view: tensor.reshape([2, 1]),
      buffer: tensor.buffer,
      place: device().createTensor(float32(2), { buffer: tensor.buffer }, { label: 'a place' }),
      operator: await device().compile(abs(2), { label: 'b' }),
      graph: await graph.compile({ y }, { label: 'c' }),
      descriptor: await device().compileGraph(graph.toDescriptor({ y }), { label: 'd' }),
      recording: device().record(() => {}, { label: 'e' }),
    };
    expect(Object.values(labelled).map(({ label }) => label)).toEqual(['a', 'a', 'a', 'a place', 'b', 'c', 'd', 'e']);
    expect(labelled.place.buffer.label).toBe('a');
    const bare = [
      device().createTensor(float32(2)),
      await device().compile(abs(2)),
      await graph.compile({ y }),
      device().record(() => {}),
      (await device().run({ type: 'elementWiseAbs', inputTensor: tensor })).outputTensor,
      labelled.operator.createOutputs().outputTensor,
    ];
    for (const { label } of bare) expect(label).toBe('');
    for (const object of Object.values(labelled)) expect(() => Object.assign(object, { label: 'other' })).toThrow(TypeError);
  });

  test('compiled operators that share a native operator keep labels of their own', async () => {
    const [first, second] = await Promise.all([
      device().compile(abs(3), { label: 'first' }),
      device().compile(abs(3), { label: 'second' }),
    ]);
    expect([first.label, second.label]).toEqual(['first', 'second']);
    second.dispose();
    expect(caught(() => second.dispatch(untyped({}))).message).toBe(`elementWiseAbs: dispatch: operator 'second' is disposed`);
    expect(caught(() => first.dispatch(untyped({}))).message).toContain(`elementWiseAbs 'first': inputTensor: expected`);
  });

  test('errors of a dispatch name the operator or graph, and the tensor', async () => {
    const other = await createDevice({ backend: 'reference' });
    const { graph, y } = graphOf(2);
    const operator = await device().compile(abs(2), { label: 'attention' });
    const net = await graph.compile({ y }, { label: 'encoder' });
    const output = device().createTensor(float32(2));
    const dead = device().createTensor(float32(2), undefined, { label: 'weights' });
    dead.dispose();
    const bind = (inputTensor: unknown) => caught(() => operator.dispatch(untyped({ inputTensor, outputTensor: output })));
    const long = device().createTensor(float32(3), undefined, { label: 'weights' });
    const column = device().createTensor({ dataType: 'int32', sizes: [2] }, undefined, { label: 'indices' });
    const foreign = other.createTensor(float32(2), undefined, { label: 'far' });
    expect(
      [dead, long, column, foreign, { buffer: long.buffer, offset: 16 }, 1].map((given) => {
        const { code, operator: type, message } = bind(given);
        expect(type).toBe('elementWiseAbs');
        return [code, message.replace(/ \(.*\)$/, '')];
      }),
    ).toEqual([
      [
        'ERR_DISPOSED',
        `elementWiseAbs 'attention': inputTensor: expected a live tensor or buffer, given tensor 'weights', which is disposed`,
      ],
      [
        'ERR_SIZES',
        `elementWiseAbs 'attention': inputTensor.sizes: expected [2], as the descriptor says, given [3] of tensor 'weights'`,
      ],
      [
        'ERR_DATA_TYPE',
        `elementWiseAbs 'attention': inputTensor.dataType: expected 'float32', as the descriptor says, given 'int32' of tensor 'indices'`,
      ],
      [
        'ERR_WRONG_DEVICE',
        `elementWiseAbs 'attention': inputTensor: expected a tensor or buffer of the device that compiled the operator, given tensor 'far' of another device`,
      ],
      [
        'ERR_BINDING_RANGE',
        `elementWiseAbs 'attention': inputTensor: expected a range within the 12 bytes of tensor 'weights', given bytes 16 to 16`,
      ],
      [
        'ERR_INVALID_ARGUMENT',
        `elementWiseAbs 'attention': inputTensor: expected a tensor, a buffer or { buffer, offset, size }, given 1`,
      ],
    ]);
    expect(caught(() => net.dispatch({ x: output })).message).toContain(`graph 'encoder': y: expected a tensor or buffer`);
    expect((await rejected(net.run({ x: dead }))).message).toContain(`graph 'encoder': x: expected a live tensor or buffer`);
    net.dispose();
    expect(caught(() => net.dispatch({ x: output, y: output })).message).toBe(`graph: dispatch: graph 'encoder' is disposed`);
    other.dispose();
  });

  test('errors of a tensor and of a recording contain its label', async () => {
    const tensor = device().createTensor(float32(2), undefined, { label: 'state' });
    const operator = await device().compile(abs(2), { label: 'step' });
    expect(caught(() => tensor.view({ sizes: [5] })).message).toContain(`a view within the 8 bytes of tensor 'state', given`);
    const recording = device().record(() => operator.dispatch({ inputTensor: tensor, outputTensor: tensor }), { label: 'loop' });
    tensor.dispose();
    expect(caught(() => tensor.write([1, 2])).message).toBe(`tensor.write: tensor 'state' is disposed`);
    expect(caught(() => recording.replay()).message).toContain(
      `elementWiseAbs 'step': inputTensor: expected a live tensor or buffer`,
    );
    recording.dispose();
    expect(caught(() => recording.replay()).message).toBe(`recording.replay: recording 'loop' is disposed`);
  });

  test('errors shorten long labels', async () => {
    const operator = await device().compile(abs(2), { label: 'x'.repeat(1000) });
    expect(operator.label).toHaveLength(1000);
    expect(caught(() => operator.dispatch(untyped({}))).message.length).toBeLessThan(300);
  });

  test('a label that is not a string is refused', async () => {
    const { graph, y } = graphOf(2);
    for (const label of [1, null, {}, Symbol('label'), ['a']]) {
      const options = untyped<{ label: string }>({ label });
      const errors = [
        caught(() => device().createBuffer(16, options)),
        caught(() => device().createTensor(float32(2), undefined, options)),
        caught(() => device().record(() => {}, options)),
        await rejected(device().compile(abs(2), options)),
        await rejected(graph.compile({ y }, options)),
        await rejected(device().compileGraph(graph.toDescriptor({ y }), options)),
      ];
      for (const { code, field } of errors) expect([code, field]).toEqual(['ERR_INVALID_ARGUMENT', 'options.label']);
    }
    const misspelt = caught(() => device().createTensor(float32(2), undefined, untyped({ lable: 'a' })));
    expect(misspelt.message).toContain(`did you mean 'label'?`);
  });

  test('a label on Object.prototype is ignored', async () => {
    const message = await polluted({ label: 'polluted' }, async () => {
      const tensor = device().createTensor(float32(2), [1, 2], {});
      const operator = await device().compile(abs(2), {});
      expect([tensor.label, operator.label]).toEqual(['', '']);
      return caught(() => operator.dispatch(untyped({}))).message;
    });
    expect(message).not.toContain('polluted');
  });
});
