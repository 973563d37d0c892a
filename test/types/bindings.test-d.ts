/**
 * The types that `dispatch`, `createOutputs` and `run` take and return, for all operators. `generated/typed-calls.ts` has the
 * exact types and, for each operator, calls that must compile and calls that must not.
 */
import { describe, expectTypeOf, test } from 'vitest';
import type {
  Binding,
  Bindings,
  BufferBinding,
  CompiledOperator,
  CompileOptions,
  Device,
  DirectMLBuffer,
  DispatchBindings,
  InputName,
  OperatorDescriptor,
  OperatorType,
  OutputTensors,
  RunDescriptor,
  Tensor,
  TensorDesc,
} from 'node-directml';
import type {
  BindingsByOperator,
  BindingsWithoutInputs,
  calls,
  InputNames,
  InputsByOperator,
  OutputsByOperator,
} from './generated/typed-calls.js';

declare const device: Device;
declare const tensor: Tensor<'float32'>;
declare const buffer: DirectMLBuffer;
const desc: TensorDesc = { dataType: 'float32', sizes: [1, 1, 2, 2] };
const gemm = { type: 'gemm', aTensor: desc, bTensor: desc } as const;
const gemmNow = { type: 'gemm', aTensor: tensor, bTensor: tensor } as const;

/** Turns an intersection into a single object type. */
type Whole<T> = { [Name in keyof T]: T[Name] };

/** True if both are the same type: modifiers, optional members and all. TypeScript compares the conditions for identity. */
type IsSame<A, B> = Condition<Whole<A>> extends Condition<Whole<B>> ? true : false;
type Condition<A> = <T>() => T extends A ? 1 : 2;

/** The operators for which the member is not `true`. */
type Wrong<Verdicts extends Record<OperatorType, boolean>> = {
  [Type in OperatorType]: Verdicts[Type] extends true ? never : Type;
}[OperatorType];

/** The names of members that must be there. */
type RequiredName<T> = { [Name in keyof T]-?: undefined extends T[Name] ? never : Name }[keyof T] & string;

describe('the types of all operators', () => {
  test('are tested', () => {
    expectTypeOf<keyof BindingsByOperator>().toEqualTypeOf<OperatorType>();
    expectTypeOf<keyof typeof calls>().toEqualTypeOf<OperatorType>();
  });

  test('have a binding for each tensor, and no other field', () => {
    type Same = { [Type in OperatorType]: IsSame<DispatchBindings<Type>, BindingsByOperator[Type]> };
    expectTypeOf<Wrong<Same>>().toEqualTypeOf<never>();
  });

  test('need no binding for a tensor that DirectML owns', () => {
    type Same = { [Type in OperatorType]: IsSame<DispatchBindings<Type, InputNames[Type]>, BindingsWithoutInputs[Type]> };
    expectTypeOf<Wrong<Same>>().toEqualTypeOf<never>();
  });

  test('give a tensor for each output', () => {
    type Same = { [Type in OperatorType]: IsSame<OutputTensors<Type>, OutputsByOperator[Type]> };
    expectTypeOf<Wrong<Same>>().toEqualTypeOf<never>();
  });

  test('run with tensors for inputs, and with all other fields as in a descriptor', () => {
    type Inputs = {
      [Type in OperatorType]: IsSame<
        Pick<RunDescriptor<Type>, keyof RunDescriptor<Type> & InputNames[Type]>,
        InputsByOperator[Type]
      >;
    };
    type Others = {
      [Type in OperatorType]: IsSame<
        Omit<RunDescriptor<Type>, InputNames[Type]>,
        Omit<OperatorDescriptor<Type>, InputNames[Type]>
      >;
    };
    expectTypeOf<Wrong<Inputs>>().toEqualTypeOf<never>();
    expectTypeOf<Wrong<Others>>().toEqualTypeOf<never>();
  });
});

describe('a required tensor of any operator', () => {
  /** The required tensors, as `Type.Name`, to which this value may be bound. If it is `never`: those that may be left out. */
  type Accepted<Value> = {
    [Type in OperatorType]: {
      [Name in RequiredName<DispatchBindings<Type>>]: Changed<DispatchBindings<Type>, Name, Value> extends DispatchBindings<Type>
        ? `${Type}.${Name}`
        : never;
    }[RequiredName<DispatchBindings<Type>>];
  }[OperatorType];
  type Changed<T, Name extends keyof T, Value> = Omit<T, Name> &
    ([Value] extends [never] ? unknown : Readonly<Record<Name, Value>>);
  /** The required fields that take an array of tensors, such as `join.inputTensors`. */
  type Arrays = {
    [Type in OperatorType]: {
      [Name in RequiredName<BindingsByOperator[Type]>]: readonly Binding[] extends BindingsByOperator[Type][Name]
        ? `${Type}.${Name}`
        : never;
    }[RequiredName<BindingsByOperator[Type]>];
  }[OperatorType];

  test('cannot be left out, null or undefined', () => {
    expectTypeOf<Accepted<never>>().toEqualTypeOf<never>();
    expectTypeOf<Accepted<null>>().toEqualTypeOf<never>();
    expectTypeOf<Accepted<undefined>>().toEqualTypeOf<never>();
  });

  test('cannot be a description, data or a name', () => {
    expectTypeOf<Accepted<TensorDesc>>().toEqualTypeOf<never>();
    expectTypeOf<Accepted<Float32Array>>().toEqualTypeOf<never>();
    expectTypeOf<Accepted<string>>().toEqualTypeOf<never>();
  });

  test('is an array if the field takes an array, otherwise a single tensor', () => {
    expectTypeOf<Accepted<readonly Tensor[]>>().toEqualTypeOf<Arrays>();
    expectTypeOf<'join.inputTensors' | 'split.outputTensors'>().toExtend<Arrays>();
    expectTypeOf<Extract<Accepted<Tensor>, Arrays>>().toEqualTypeOf<never>();
    expectTypeOf<Accepted<Tensor>>().toEqualTypeOf<Accepted<Binding>>();
    expectTypeOf<'gemm.aTensor'>().toExtend<Accepted<Tensor>>();
  });
});

describe('dispatch', () => {
  test('takes tensors, buffers and ranges of buffers', async () => {
    const operator = await device.compile(gemm);
    const range: BufferBinding = { buffer, offset: 16, size: 16 };
    operator.dispatch({ aTensor: tensor, bTensor: buffer, cTensor: range, outputTensor: { buffer } });
    await operator.dispatchChecked({ aTensor: tensor, bTensor: buffer, cTensor: null, outputTensor: tensor });
    // @ts-expect-error: bTensor is missing
    await operator.dispatchChecked({ aTensor: tensor, outputTensor: tensor });
    // @ts-expect-error: misspelt
    operator.dispatch({ aTensor: tensor, bTensor: tensor, cTensorr: tensor, outputTensor: tensor });
    // @ts-expect-error: misspelt
    operator.dispatch({ aTensor: { buffer, ofset: 16 }, bTensor: tensor, outputTensor: tensor });
  });

  test('needs no binding for a weight that was given to compile', async () => {
    const options = { initializationInputs: { bTensor: tensor } };
    const owned = { ...gemm, bTensor: { ...desc, flags: 'ownedByDml' } } as const;
    const operator = await device.compile(owned, options);
    expectTypeOf(operator).toEqualTypeOf<CompiledOperator<'gemm', 'bTensor'>>();
    operator.dispatch({ aTensor: tensor, outputTensor: tensor });
    operator.dispatch({ aTensor: tensor, bTensor: null, outputTensor: tensor });
    // @ts-expect-error: aTensor is missing
    operator.dispatch({ outputTensor: tensor });
    (await device.compile(owned, { initializationInputs: { bTensor: buffer } })).dispatch({
      aTensor: tensor,
      outputTensor: tensor,
    });
    (await device.compile(gemm, { disableMetacommands: true })).dispatch(
      // @ts-expect-error: bTensor is missing, and no weight
      { aTensor: tensor, outputTensor: tensor },
    );
  });

  test('lets any input be left out if the types do not tell which weights compile was given', async () => {
    const compile = (options: CompileOptions) => device.compile(gemm, options);
    const operator = await compile({});
    operator.dispatch({ outputTensor: tensor });
    // @ts-expect-error: an output is no weight
    operator.dispatch({ aTensor: tensor });
  });

  test('takes the bindings of one of the types if an operator may have several types', async () => {
    const ofBoth = await device.compile<'gather' | 'gatherElements'>({
      type: 'gatherElements',
      inputTensor: desc,
      indicesTensor: desc,
      axis: 0,
    });
    ofBoth.dispatch({ inputTensor: tensor, indicesTensor: tensor, outputTensor: tensor });
    // @ts-expect-error: no indices
    ofBoth.dispatch({ inputTensor: tensor, outputTensor: tensor });
  });
});

describe('weights', () => {
  test('are the inputs of an operator', async () => {
    type Same = { [Type in OperatorType]: IsSame<Record<InputName<Type>, 0>, Record<InputNames[Type], 0>> };
    expectTypeOf<Wrong<Same>>().toEqualTypeOf<never>();
    await device.compile(gemm, { initializationInputs: { aTensor: tensor, bTensor: { buffer }, cTensor: null } });
    // @ts-expect-error: misspelt
    await device.compile(gemm, { initializationInputs: { bTensor: tensor, cTensorr: tensor } });
    // @ts-expect-error: an output
    await device.compile(gemm, { initializationInputs: { outputTensor: tensor } });
    // @ts-expect-error: an array for one tensor
    await device.compile(gemm, { initializationInputs: { bTensor: [tensor] } });
    // @ts-expect-error: a misspelt option
    await device.compile(gemm, { initialisationInputs: { bTensor: tensor } });
  });

  test('of arrays are arrays, with null for tensors that DirectML does not own', async () => {
    const join = { type: 'join', inputTensors: [desc, desc], axis: 0 } as const;
    const operator = await device.compile(join, { initializationInputs: { inputTensors: [tensor, null] } });
    operator.dispatch({ inputTensors: [null, tensor], outputTensor: tensor });
    // @ts-expect-error: one tensor for an array
    await device.compile(join, { initializationInputs: { inputTensors: tensor } });
  });

  test('of operators of any type have any names', async () => {
    const compile = (descriptor: OperatorDescriptor, weights: Bindings) =>
      device.compile(descriptor, { initializationInputs: weights });
    expectTypeOf(compile).returns.resolves.toExtend<CompiledOperator>();
    (await compile(gemm, { bTensor: tensor })).dispatch({ aTensor: tensor, outputTensor: tensor });
  });
});

describe('operators of any type', () => {
  test('compile, and take any bindings', async () => {
    const compute = async (descriptor: OperatorDescriptor, bindings: Bindings) => {
      const operator = await device.compile(descriptor);
      expectTypeOf(operator).toExtend<CompiledOperator>();
      operator.dispatch(bindings);
      expectTypeOf(operator.createOutputs()).toEqualTypeOf<OutputTensors<OperatorType>>();
      expectTypeOf(operator.type).toEqualTypeOf<OperatorType>();
      return operator;
    };
    expectTypeOf(compute).returns.resolves.toExtend<CompiledOperator>();
  });

  test('accept operators of a known type', () => {
    type Assignable = { [Type in OperatorType]: CompiledOperator<Type> extends CompiledOperator ? true : false };
    expectTypeOf<Wrong<Assignable>>().toEqualTypeOf<never>();
    expectTypeOf<CompiledOperator<'gemm', 'bTensor'>>().toExtend<CompiledOperator>();
    type Outputs = { [Type in OperatorType]: OutputTensors<Type> extends OutputTensors<OperatorType> ? true : false };
    expectTypeOf<Wrong<Outputs>>().toEqualTypeOf<never>();
    type Bound = { [Type in OperatorType]: DispatchBindings<Type> extends Bindings ? true : false };
    expectTypeOf<Wrong<Bound>>().toEqualTypeOf<never>();
  });

  test('are not operators of a known type', () => {
    expectTypeOf<CompiledOperator>().not.toExtend<CompiledOperator<'gemm'>>();
    expectTypeOf<CompiledOperator<'gather'>>().not.toExtend<CompiledOperator<'gemm'>>();
  });

  test('are compiled by generic functions', async () => {
    const compile = <Type extends OperatorType>(descriptor: OperatorDescriptor<Type> & { readonly type: Type }) =>
      device.compile<Type>(descriptor);
    const operator = await compile(gemm);
    operator.dispatch({ aTensor: tensor, bTensor: tensor, outputTensor: tensor });
    // @ts-expect-error: nothing is bound
    operator.dispatch({});
    const dispatch = <Type extends OperatorType>(given: CompiledOperator<Type>, bindings: DispatchBindings<Type>) => {
      given.dispatch(bindings);
    };
    dispatch(operator, { aTensor: tensor, bTensor: tensor, outputTensor: tensor });
  });
});

describe('run', () => {
  test('gives the outputs by field name', async () => {
    expectTypeOf(await device.run(gemmNow)).toEqualTypeOf<OutputTensors<'gemm', 'float32'>>();
    expectTypeOf((await device.run(gemmNow)).outputTensor).toEqualTypeOf<Tensor<'float32'>>();
    const { outputValueTensor, outputIndexTensor } = await device.run({ type: 'topK', inputTensor: tensor, axis: 3, k: 1 });
    expectTypeOf(outputValueTensor).toEqualTypeOf<Tensor<'float32'>>();
    expectTypeOf(outputIndexTensor).toEqualTypeOf<Tensor<'uint32'>>();
    const half = device.createTensor({ dataType: 'float16', sizes: [1] });
    expectTypeOf((await device.run({ type: 'cast', inputTensor: tensor, outputTensor: half })).outputTensor).toEqualTypeOf<
      Tensor<'float16'>
    >();
    expectTypeOf(device.run({ type: 'cast', inputTensor: tensor, outputTensor: desc })).resolves.toEqualTypeOf<{
      readonly outputTensor: Tensor;
    }>();
    const matrix = { dataType: 'float16', sizes: [2, 2] } as const;
    const compiled = await device.compile({ type: 'gemm', aTensor: matrix, bTensor: matrix });
    expectTypeOf(compiled.createOutputs().outputTensor).toEqualTypeOf<Tensor<'float16'>>();
    expectTypeOf(compiled).toExtend<CompiledOperator<'gemm'>>();
    // @ts-expect-error: an input
    (await device.run(gemmNow)).aTensor?.dispose();
  });

  test('takes outputs that are absent, described or tensors', async () => {
    await device.run({ ...gemmNow, outputTensor: undefined });
    await device.run({ ...gemmNow, outputTensor: {} });
    await device.run({ ...gemmNow, outputTensor: { strides: [4, 4, 1, 2] } });
    await device.run({ ...gemmNow, outputTensor: tensor });
    await device.run({ type: 'split', inputTensor: tensor, outputTensors: [tensor, {}], axis: 3 });
    // @ts-expect-error: misspelt
    await device.run({ ...gemmNow, outputTensor: { stride: [4, 4, 1, 2] } });
    // @ts-expect-error: a buffer is no tensor
    await device.run({ ...gemmNow, outputTensor: buffer });
  });

  test('takes optional inputs that are absent, null or tensors', async () => {
    await device.run({ ...gemmNow, cTensor: null });
    await device.run({ ...gemmNow, cTensor: undefined });
    await device.run({ ...gemmNow, cTensor: tensor });
    // @ts-expect-error: a description
    await device.run({ ...gemmNow, cTensor: desc });
  });

  test('takes tensors, and nothing else, for inputs', async () => {
    await device.run({ type: 'join', inputTensors: [tensor, tensor], axis: 0 });
    // @ts-expect-error: bTensor is missing
    await device.run({ type: 'gemm', aTensor: tensor });
    // @ts-expect-error: a description
    await device.run({ ...gemmNow, aTensor: desc });
    // @ts-expect-error: a buffer
    await device.run({ ...gemmNow, aTensor: buffer });
    // @ts-expect-error: null for a tensor
    await device.run({ ...gemmNow, aTensor: null });
    // @ts-expect-error: an array
    await device.run({ ...gemmNow, aTensor: [tensor] });
    // @ts-expect-error: one of them is a description
    await device.run({ type: 'join', inputTensors: [tensor, desc], axis: 0 });
    // @ts-expect-error: one tensor for an array
    await device.run({ type: 'join', inputTensors: tensor, axis: 0 });
    // @ts-expect-error: no such operator
    await device.run({ type: 'matmul', aTensor: tensor, bTensor: tensor });
  });

  test('takes descriptors of any operator', async () => {
    const compute = (descriptor: RunDescriptor<OperatorType>) => device.run(descriptor);
    expectTypeOf(await compute(gemmNow)).toEqualTypeOf<OutputTensors<OperatorType>>();
  });
});

describe('the descriptor of a compiled operator', () => {
  test('describes the tensors that are made for it', async () => {
    const operator = await device.compile(gemm);
    expectTypeOf(device.createTensor(operator.descriptor.outputTensor)).toExtend<Tensor>();
    const lstm = await device.compile({} as OperatorDescriptor<'lstm'>);
    // @ts-expect-error: null if the descriptor has no such output
    device.createTensor(lstm.descriptor.outputSequenceTensor);
    const split = await device.compile({} as OperatorDescriptor<'split'>);
    expectTypeOf(split.descriptor.outputTensors.map((output) => device.createTensor(output))).toEqualTypeOf<Tensor[]>();
  });
});
