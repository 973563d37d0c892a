/** The pictures on the pages of operators show what the operators compute, and say it to those who cannot see them. */
import { beforeAll, expect, test } from 'vitest';
import { operatorTable } from '#lib/descriptors/generated/table.js';

let pictures: ReadonlyMap<string, string>;

beforeAll(async () => {
  const compute = (await import(new URL('../../docs/.vitepress/tensors/compute.mjs', import.meta.url).href)) as {
    drawOperators: () => Promise<ReadonlyMap<string, string>>;
  };
  pictures = await compute.drawOperators();
});

const pictureOf = (operator: string) => pictures.get(operator) ?? '';
const numbersIn = (svg: string) => [...svg.matchAll(/class="number"[^>]*>([^<]*)</g)].map(([, number]) => number);

test('many operators have a picture, each with its name, its numbers and a text', () => {
  expect(pictures.size).toBeGreaterThanOrEqual(30);
  for (const [operator, picture] of pictures) {
    expect(Object.keys(operatorTable)).toContain(operator);
    expect(picture, operator).toMatch(
      /<svg role="img" [^>]*><title id="[^"]+">\w+: [^<]+\.<\/title><desc id="[^"]+">[^<]+<\/desc>/,
    );
    expect(numbersIn(picture).length, operator).toBeGreaterThan(4);
    expect(picture, operator).not.toMatch(/NaN|undefined|null/);
  }
});

test('inputs come first, then what the operator computes of them', () => {
  const numbers = '1 3 2 0 5 2 7 1 0 4 6 8 2 1 3 9'.split(' ');
  expect(numbersIn(pictureOf('maxPooling'))).toEqual([...numbers, '5', '7', '4', '9']);
  expect(pictureOf('maxPooling')).toContain('gives outputTensor [5, 7] [4, 9]</desc>');
  expect(numbersIn(pictureOf('diagonalMatrix1')).join('')).toBe('1000110011101111');
});

test('an element that is only moved keeps its colour, negative ones have another one, and indices have none', () => {
  const colors = (operator: string) => [...pictureOf(operator).matchAll(/class="(\w+)" style="--share:(\d+)"/g)];
  const tiled = colors('tile').map(([, , share]) => share);
  expect(tiled.slice(6)).toEqual([0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5].map((i) => tiled[i]));
  expect(
    colors('activationRelu')
      .slice(0, 2)
      .map(([, sign]) => sign),
  ).toEqual(['less', 'more']);
  expect(
    colors('topK')
      .slice(-4)
      .map(([, , share]) => share),
  ).toEqual(['0', '0', '0', '0']);
});
