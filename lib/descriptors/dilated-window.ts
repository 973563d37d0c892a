/** Sizes of a dilated window that slides along one dimension. */

/** Elements from the first to the last element of the window, including the gaps that the dilation leaves. */
export function dilatedSize(window: number, dilation: number): number {
  return (window - 1) * dilation + 1;
}

/** Number of positions of a dilated window in a padded dimension; 0 or less if the window is larger. */
export function positionCount(padded: number, dilated: number, stride: number): number {
  return Math.floor((padded - dilated) / stride) + 1;
}
