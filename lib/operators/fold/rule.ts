/** Unfold takes images apart into columns, one for each position of a sliding window; fold puts them together again. */
import { onePerSpace } from '../../descriptors/count.js';
import { dilatedSize, positionCount } from '../../descriptors/dilated-window.js';
import { needSizes, type Drafted } from '../../descriptors/drafted.js';
import { strict, strictly } from '../../descriptors/strict.js';
import { hasSizes, numbersAtLeastOne, sameDataType } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';
import { productOf } from '../../tensors/tensor-size.js';

/**
 * Both tensors have the same data type, which is not float64. `inputTensor` has the sizes [batch, channels, …space],
 * with one spatial dimension for each element of `windowSizes`. {@inheritDoc columnsFit} `outputTensor` has the sizes
 * [batch, channels × elements of a window, number of window positions].
 */
export const unfold: Rule<'unfold'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  columnsFit(operator, 'inputTensor', 'outputTensor');
  strictly('never-compiled', () => notFloat64(operator));
};

/**
 * Both tensors have the same data type, which is not float64. `outputTensor` has the sizes [batch, channels, …space],
 * with one spatial dimension for each element of `windowSizes`. {@inheritDoc columnsFit} `inputTensor` has the sizes
 * [batch, channels × elements of a window, number of window positions]. The sizes of `outputTensor` must be given.
 */
export const fold: Rule<'fold'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  needSizes(operator.outputTensor, 'batch, channels and a size for each of windowSizes');
  columnsFit(operator, 'outputTensor', 'inputTensor');
  strictly('never-compiled', () => notFloat64(operator));
};

type FoldOrUnfold = Drafted<'unfold' | 'fold'>;
type Side = 'inputTensor' | 'outputTensor';

/** @refused tensors of float64 */
function notFloat64(operator: FoldOrUnfold): void {
  if (operator.inputTensor.dataType !== 'float64') return;
  throw refuse(
    operator,
    'ERR_DATA_TYPE',
    'inputTensor.dataType',
    'any other one',
    `'float64'`,
    'DirectML compiles no such operator',
  );
}

/**
 * Each of `windowSizes`, `strides` and `dilations` is at least 1. Each of `strides`, `dilations`, `startPadding` and
 * `endPadding` is at most 65535. A window spans (window size - 1) × dilation + 1 elements in each dimension, and fits
 * into the padded image.
 */
function columnsFit(operator: FoldOrUnfold, images: Side, columns: Side): void {
  const { dimensionCount: spaceCount, dilations, startPadding: start, endPadding: end } = operator;
  const sizes = needSizes(operator[images]);
  if (sizes.length !== spaceCount + 2) {
    const expected = onePerSpace(images, sizes.length - 2);
    const error = refuse(operator, 'ERR_DIMENSION_COUNT', 'windowSizes', expected, `${spaceCount}`);
    throw strict('window-dimensions', error);
  }
  const window = numbersAtLeastOne(operator, 'windowSizes');
  const strides = numbersAtLeastOne(operator, 'strides');
  for (const name of ['strides', 'dilations', 'startPadding', 'endPadding'] as const) in16Bits(operator, name);
  let positions = 1;
  for (let i = 0; i < spaceCount; i++) {
    const padded = (sizes[i + 2] ?? 0) + (start[i] ?? 0) + (end[i] ?? 0);
    const dilated = dilatedSize(window[i] ?? 1, dilations[i] ?? 1);
    if (dilated > padded) {
      const why = `its dilated window of ${dilated} has to fit into the padded ${padded}`;
      throw refuse(operator, 'ERR_OUT_OF_RANGE', `windowSizes[${i}]`, 'a smaller window', `${window[i]}`, why);
    }
    positions *= positionCount(padded, dilated, strides[i] ?? 1);
  }
  const expected = [sizes[0] ?? 1, (sizes[1] ?? 1) * productOf(window), positions];
  hasSizes(operator, columns, expected, `batch, channels × window and the number of windows in ${images}`);
  strictly('zero-dilation', () => numbersAtLeastOne(operator, 'dilations'));
}

function in16Bits(operator: FoldOrUnfold, name: 'strides' | 'dilations' | 'startPadding' | 'endPadding'): void {
  operator[name].forEach((value, i) => {
    if (value > 0xffff) throw refuse(operator, 'ERR_OUT_OF_RANGE', `${name}[${i}]`, 'at most 65535', `${value}`);
  });
}
