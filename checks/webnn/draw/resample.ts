/** Cases of resample2d. */
import type { Random } from '../../harness/random.js';
import { isFloatType } from '../elements.js';
import { exact, ulp, type CheckedOperators } from '../operator.js';
import { caseOf, type ArgumentOptions, type DrawnCase } from '../webnn-case.js';
import { drawElements, eighths, ordinaryElement } from './numbers.js';
import { layoutsOf, withDefault, type Drawing } from './operands.js';

const modes = ['nearest-neighbor', 'linear'] as const;

export const resampling = {
  resample2d: {
    layouts: layoutsOf(modes, ['sizes', 'scales', 'whole scales', 'views']),
    draw,
    tolerance: (test, output) => {
      const { mode } = { ...(test.args[1] as { readonly mode?: string }) };
      return mode === 'linear' ? ulp(84, 10)(test, output) : exact(test, output);
    },
  },
} satisfies Partial<CheckedOperators>;

function draw(drawing: Drawing): DrawnCase {
  const { random, dataType, layout } = drawing;
  const mode = drawing.named(modes);
  const shape = Array.from({ length: 4 }, () => random.pick([1, 2, 3, 4, 5, 6, 7]));
  const axes = random.chance(0.4) ? [2, 3] : random.distinct(2, 4);
  // No infinities in linear mode: the product of an infinity and a weight of 0 is not tested here.
  const usual = isFloatType(dataType) && random.chance(0.5) ? eighths(drawing) : () => ordinaryElement(drawing);
  const input = drawing.operand(shape, mode === 'nearest-neighbor' ? drawElements(drawing) : usual);
  const from = axes.map((axis) => shape[axis] ?? 1);
  const options: ArgumentOptions = {
    ...withDefault(random, 'mode', mode, 'nearest-neighbor'),
    ...(axes.join() === '2,3' && random.chance(0.5) ? {} : { axes }),
    ...sizesOf(random, layout.slice(mode.length + 1), from),
  };
  return caseOf({ input }, options);
}

/** Draws scales, or sizes. Some cases have both, because sizes take precedence over scales. */
function sizesOf(random: Random, kind: string, from: readonly number[]): ArgumentOptions {
  const scales = from.map((size) => {
    if (kind === 'whole scales') return random.pick([1, 2, 3, 1 / size]);
    const scale = random.pick([0.5, 1 / 3, 0.75, 1.3, 1.5, 2.2, 2.75]);
    return Math.fround(scale * size >= 1 ? scale : 1.5);
  });
  const sizes = from.map(() => random.int(1, 12));
  if (kind.endsWith('scales')) return { scales: scales.map(Math.fround) };
  return random.chance(0.2) ? { sizes, scales } : { sizes };
}
