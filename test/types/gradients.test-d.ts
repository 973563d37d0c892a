/** The types of gradients: that of the argument; a loss is one floating number. */
import { expectTypeOf, test } from 'vitest';
import type { Tensor, Value } from 'node-directml';
import { checkpoint, customGradient, grad, stopGradient, valueAndGrad, vjp } from 'node-directml/gradients';
import { argmax, elementWiseMultiply as multiply, reduce } from 'node-directml/operators';

type Floats = Value<'float32'>;

declare const value: Floats;
declare const tensor: Tensor<'float32'>;
declare function loss(x: Floats): Floats;
declare function ofTree(weights: { readonly w: Floats; readonly b: readonly Floats[] }, x: Floats): Floats;

test('a gradient has the type of the argument', () => {
  expectTypeOf(grad(loss)(value)).toEqualTypeOf<Floats>();
  expectTypeOf(grad(loss)(tensor)).resolves.toEqualTypeOf<Tensor<'float32'>>();
  expectTypeOf(grad(ofTree)({ w: value, b: [value] }, value)).toEqualTypeOf<{
    readonly w: Floats;
    readonly b: readonly Floats[];
  }>();
  expectTypeOf(grad(ofTree, { argument: 1 })({ w: value, b: [] }, value)).toEqualTypeOf<Floats>();
  expectTypeOf(valueAndGrad(loss)(value)).toEqualTypeOf<readonly [Floats, Floats]>();
  expectTypeOf(stopGradient({ value })).toEqualTypeOf<{ value: Floats }>();
  expectTypeOf(vjp(loss, value)[0]).toEqualTypeOf<Floats>();
  expectTypeOf(
    customGradient(
      (x: Floats) => x,
      (gradient) => [gradient],
    )(value),
  ).toEqualTypeOf<Floats>();
});

test('a checkpoint has the type of the function', () => {
  expectTypeOf(checkpoint(ofTree)).toEqualTypeOf<(...args: Parameters<typeof ofTree>) => Floats>();
  expectTypeOf(grad(checkpoint(loss))(value)).toEqualTypeOf<Floats>();
});

test('parameters without a type take values', () => {
  const slope = grad((x, y) => reduce(multiply(x, y), { function: 'sum', axes: [0] }));
  expectTypeOf(slope(value, value)).toExtend<Value>();
});

test('wrong losses do not compile', () => {
  // @ts-expect-error -- an index is no loss
  grad((x: Floats) => argmax(x, { axes: [0] }));
  // @ts-expect-error -- a number of the program is none
  grad((x: Floats) => x.sizes.length);
  // @ts-expect-error -- misspelt
  grad(loss, { arguments: 1 });
});
