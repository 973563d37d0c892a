/** The real DirectML accepts exactly what the operator table says. It needs Windows, or the sandbox. */
import type { DataType, OperatorType } from 'node-directml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NativeDevice } from '../../../binding.js';
import { loadAddon } from '#lib/backends/directml/addon.js';
import { enums } from '#lib/tensors/generated/enums.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { FieldSchema } from '#lib/descriptors/types.js';
import { isOperatorType } from '#lib/operators/resolve.js';
import { isTensor } from '../../../checks/descriptors/candidate.js';
import { asNative, encodeLoosely } from '../../../checks/descriptors/encode.js';
import { plausibleActivation } from '../../support/plausible.js';
import { minimalDescriptors } from '../../../checks/cases/generated/minimal-descriptors.js';

type Fields = Readonly<Record<string, unknown>>;

const types = Object.keys(operatorTable).filter(isOperatorType);
const dataTypes = Object.keys(enums.DataType.values).filter((name): name is DataType => name in enums.DataType.values);

let device: NativeDevice;

beforeAll(async () => {
  const { binding, directory } = loadAddon();
  device = await binding.createDevice({ addonDirectory: directory });
});

afterAll(() => device.dispose());

/** True if CreateOperator accepts the descriptor, even if this Direct3D cannot compile it. */
function accepts(type: OperatorType, fields: Fields): boolean {
  try {
    device.checkOperator(asNative(encodeLoosely({ type, ...fields })), 0);
    return true;
  } catch (error) {
    return String(error).includes('CompileOperator');
  }
}

test('accepts exactly the listed data types of each tensor', () => {
  const differences = types.flatMap((type) =>
    tensorFields(type).flatMap((field) => {
      const listed = field.support?.[0]?.dataTypes ?? [];
      const taken = dataTypes.filter((dataType) => takesDataType(type, field, dataType));
      const more = taken.filter((dataType) => !listed.includes(dataType));
      const less = listed.filter((dataType) => !taken.includes(dataType));
      const isExpected = less.length === 0 || fewerInMinimal.includes(type);
      return more.length === 0 && isExpected ? [] : [{ type, field: field.name, more, less }];
    }),
  );
  expect(differences).toEqual([]);
});

/** Operators whose minimal descriptor has a function or quantization type that takes only some of the data types. */
const fewerInMinimal: readonly OperatorType[] = ['reduce', 'quantize', 'dequantize'];

/** True if DirectML accepts the data type in this field alone, in all fields of the same data type, or in all tensor fields. */
function takesDataType(type: OperatorType, field: FieldSchema, dataType: DataType): boolean {
  const minimal: Fields = { ...minimalDescriptors[type] };
  const fields = tensorFields(type);
  const kin = fields.filter(({ name }) => dataTypeOf(minimal[name]) === dataTypeOf(minimal[field.name]));
  const scalars = operatorTable[type].fields.filter(({ enumName }) => enumName === 'DataType');
  const changed = (tensors: readonly FieldSchema[], others: readonly FieldSchema[]) => ({
    ...minimal,
    ...Object.fromEntries(tensors.map(({ name }) => [name, withDataType(minimal[name], dataType)])),
    ...Object.fromEntries(others.map(({ name }) => [name, dataType])),
  });
  return [changed([field], []), changed(kin, scalars), changed(fields, scalars)].some((one) => accepts(type, one));
}

test('fuses exactly the listed activations', () => {
  const hosts = types.filter((type) => fusedField(type) !== undefined);
  const differences = hosts.flatMap((host) =>
    types.filter(couldBeFused).flatMap((type) => {
      // This combination kills the process.
      if (host === 'convolution' && type === 'activationParameterizedRelu') return [];
      const { fusion } = operatorTable[type];
      const isListed = fusion !== undefined && (fusion.into?.includes(host) ?? true);
      return accepts(host, withActivation(host, plausibleActivation(type))) === isListed ? [] : [{ host, type, isListed }];
    }),
  );
  expect(differences).toEqual([]);
});

/** The minimal descriptor of `host` with all its activations replaced. */
function withActivation(host: OperatorType, activation: Fields): Fields {
  const minimal: Fields = { ...minimalDescriptors[host] };
  const { name = '', kind } = fusedField(host) ?? {};
  const activations = minimal[name];
  const several = Array.isArray(activations) ? activations.map(() => activation) : [activation];
  return { ...minimal, [name]: kind === 'operatorArray' ? several : activation };
}

function fusedField(type: OperatorType): FieldSchema | undefined {
  return operatorTable[type].fields.find(({ kind }) => kind === 'operator' || kind === 'operatorArray');
}

/** True for activations with a single input and output. DirectML may not survive others. */
function couldBeFused(type: OperatorType): boolean {
  return type.startsWith('activation') || (type.startsWith('elementWise') && tensorFields(type).length === 2);
}

/** The tensor fields of the minimal descriptor. */
function tensorFields(type: OperatorType): FieldSchema[] {
  const minimal: Fields = { ...minimalDescriptors[type] };
  return operatorTable[type].fields.filter(({ name, support }) => support !== undefined && minimal[name] !== undefined);
}

function dataTypeOf(value: unknown): DataType | undefined {
  const tensor: unknown = Array.isArray(value) ? value[0] : value;
  return isTensor(tensor) ? tensor.dataType : undefined;
}

function withDataType(value: unknown, dataType: DataType): unknown {
  if (Array.isArray(value)) return value.map((element) => withDataType(element, dataType));
  return isTensor(value) ? { ...value, dataType } : value;
}
