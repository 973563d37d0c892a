/** Bytes that are no ONNX model, in memory and in a file: the error says where they end, or what they have. */
import { describe, expect, test } from 'vitest';
import { loadOnnx } from 'node-directml/onnx';
import { deviceOn } from '../support/devices.js';
import { folderOfFiles } from '../support/folder-of-files.js';
import { refusalOf } from '../support/refusals.js';

/** A field with a length, and one with a small number. */
const field = (number: number, ...content: readonly (string | readonly number[])[]): readonly number[] => {
  const bytes = content.flatMap((part) => [...Buffer.from(part as string)]);
  return [8 * number + 2, bytes.length, ...bytes];
};
const small = (number: number, value: number): readonly number[] => [8 * number, value];

/** One float, which the node negates: an input, or the constant `x`. */
const shape = field(2, field(1, small(1, 1)));
const floats = (name: string) => [field(1, name), field(2, field(1, small(1, 1), shape))] as const;
const node = field(1, field(1, 'x'), field(2, 'y'), field(4, 'Neg'));
const modelOf = (...graph: readonly (readonly number[])[]) => [
  ...[...small(1, 8), ...field(7, ...graph, field(12, ...floats('y')))],
  ...field(8, small(2, 17)),
];
const ofInput = (...more: readonly (readonly number[])[]) => modelOf(node, field(11, ...floats('x')), ...more);
const ofConstant = (...tensor: readonly (readonly number[])[]) => modelOf(node, field(5, ...tensor, field(8, 'x')));
const many = (count: number, byte: number) => new Array<number>(count).fill(byte);

const device = deviceOn('reference');
const write = folderOfFiles();
const middleOfField = 'the bytes end in the middle of a field';
const middleOfNumber = 'the bytes end in the middle of a number';

describe.each([
  ['in memory', (bytes: readonly number[]) => Uint8Array.from(bytes), () => 'model'],
  ['in a file', (bytes: readonly number[]) => write('model.onnx', Uint8Array.from(bytes)), (path: string) => path],
] as const)('%s', (_, give, nameOf) => {
  test.each<[string, readonly number[]]>([
    ['there is no graph', []],
    ['there is no graph', small(1, 8)],
    ...[3, 4, 6, 7].map((wireType): [string, readonly number[]] => [`a field has the wire type ${wireType}`, [8 + wireType, 1]]),
    ['a field has the number 0', [0, 1]],
    [middleOfField, [0x3a, 100, 1, 2]],
    [middleOfField, [0x09, ...many(7, 1)]],
    [middleOfField, [0x0d, ...many(3, 1)]],
    [middleOfField, ofInput([0x0a, 50, 1])],
    [middleOfField, ofInput(field(1, [0x0a, 9, 1]))],
    ['a number has more than 10 bytes', [0x08, ...many(10, 0x80), 1]],
    [middleOfNumber, [0x08, 0x80]],
    [middleOfNumber, [0x80]],
    ['there are sparse weights, which are not supported', ofInput(field(15, small(1, 1)))],
    ["tensor 'x' has a size of -1", ofConstant([0x08, ...many(9, 0xff), 1], small(2, 1))],
  ])('%s', async (why, bytes) => {
    const given = give(bytes);
    const expected = `ERR_INVALID_FILE loadOnnx: ${nameOf(String(given))}: expected an ONNX model, given other bytes (${why})`;
    expect(await refusalOf(() => loadOnnx(device(), given))).toBe(expected);
  });

  test.each<[string, readonly number[]]>([
    ['fields that ONNX does not have', [0x61, ...many(8, 1), 0x65, ...many(4, 1), ...field(30, [1, 2]), ...ofInput()]],
    ['a number of 10 bytes', [0x08, ...many(9, 0x80), 1, ...ofInput()]],
  ])('%s are taken', async (_name, bytes) => {
    using model = await loadOnnx(device(), give(bytes));
    const results = await model.run({ x: device().tensor([5]) });
    expect(Object.keys(results)).toEqual(['y']);
  });

  test.each<[string, readonly number[]]>([
    ["tensor 'x' has 4 bytes instead of 8", ofConstant(small(1, 2), small(2, 1), field(9, [1, 2, 3, 4]))],
    ['floats have another number of bytes than a multiple of 4', ofConstant(small(1, 1), small(2, 1), field(4, [1, 2, 3]))],
    ['floats have another number of bytes than a multiple of 8', ofConstant(small(1, 1), small(2, 11), field(10, [1, 2, 3, 4]))],
  ])('%s, which a run says', async (why, bytes) => {
    using model = await loadOnnx(device(), give(bytes));
    expect(await refusalOf(() => model.run({}))).toContain(why);
  });
});
