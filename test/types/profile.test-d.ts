/** The types of profiles, by their options, and of labels. */
import { expectTypeOf, test } from 'vitest';
import type {
  CompiledGraph,
  CompiledOperator,
  Device,
  DirectMLBuffer,
  DispatchProfile,
  Recording,
  OperatorType,
  Profile,
  ProfiledDispatch,
  Tensor,
} from 'node-directml';

declare const device: Device;
declare const perDispatch: boolean;

test('only a profile with perDispatch: true has dispatches', () => {
  const work = () => {};
  expectTypeOf(device.profile(work)).resolves.toEqualTypeOf<Profile>();
  expectTypeOf(device.profile(work, {})).resolves.toEqualTypeOf<Profile>();
  expectTypeOf(device.profile(work, { perDispatch: false })).resolves.toEqualTypeOf<Profile>();
  expectTypeOf(device.profile(work, { perDispatch })).resolves.toEqualTypeOf<Profile>();
  expectTypeOf(device.profile(work, { perDispatch: true })).resolves.toEqualTypeOf<DispatchProfile>();
  expectTypeOf<DispatchProfile>().toExtend<Profile>();
  expectTypeOf<Profile>().not.toHaveProperty('dispatches');
});

test('GPU times may be null, and dispatches name their operator', () => {
  expectTypeOf<Profile['gpuMs']>().toEqualTypeOf<number | null>();
  expectTypeOf<ProfiledDispatch['gpuMs']>().toEqualTypeOf<number | null>();
  expectTypeOf<ProfiledDispatch['operator']>().toEqualTypeOf<OperatorType | 'graph'>();
  expectTypeOf<DispatchProfile['dispatches']>().toEqualTypeOf<readonly ProfiledDispatch[]>();
});

test('functions may be async, and return anything', () => {
  expectTypeOf(device.profile(async () => device.idle())).resolves.toEqualTypeOf<Profile>();
  expectTypeOf(device.profile(() => 5)).resolves.toEqualTypeOf<Profile>();
  // @ts-expect-error -- no function
  void device.profile(device.idle());
  // @ts-expect-error -- there is no such option
  void device.profile(() => {}, { perdispatch: true });
});

test('labels are strings that cannot be changed', () => {
  type Labelled = DirectMLBuffer | Tensor | CompiledOperator | CompiledGraph | Recording;
  expectTypeOf<Labelled['label']>().toEqualTypeOf<string>();
  const desc = { dataType: 'float32', sizes: [2] } as const;
  const tensor = device.createTensor(desc, [1, 2], { label: 'a' });
  expectTypeOf(tensor).toEqualTypeOf<Tensor<'float32'>>();
  // @ts-expect-error -- read-only
  tensor.label = 'b';
  // @ts-expect-error -- no string
  device.createTensor(desc, undefined, { label: 1 });
  // @ts-expect-error -- no string
  void device.compile({ type: 'elementWiseAbs', inputTensor: desc }, { label: 1 });
  void device.compile({ type: 'elementWiseAbs', inputTensor: desc }, { label: 'c' });
  void device.createGraph().compile({}, { label: 'd' });
  device.record(() => {}, { label: 'e' });
});
