/** A window that moves along one dimension. */

/** Elements from the window's first to its last one, with what its dilation leaves between them. */
export function dilatedSize(window: number, dilation: number): number {
  return (window - 1) * dilation + 1;
}

/** How many positions a dilated window has in a padded dimension; none where it is larger. */
export function positionCount(padded: number, dilated: number, stride: number): number {
  return Math.floor((padded - dilated) / stride) + 1;
}
