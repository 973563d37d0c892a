/** Descriptors whose fields the operator table allows at a feature level, without regard to the rules between fields. */
import type { FeatureLevel, OperatorType } from 'node-directml';
import { reaches } from '#lib/descriptors/feature-level.js';
import { enums, type EnumSchema } from '#lib/tensors/generated/enums.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { FieldSchema } from '#lib/descriptors/types.js';

type AnyFields = Readonly<Record<string, unknown>>;

export function plausible(type: OperatorType, level: FeatureLevel): AnyFields {
  const needed = operatorTable[type].fields.filter(({ optional, optionalSince, counts }) => {
    const canBeLeftOut = optional === true && (optionalSince === undefined || reaches(level, optionalSince));
    return !canBeLeftOut && counts === undefined;
  });
  return { type, ...Object.fromEntries(needed.map((field) => [field.name, plausibleValue(field, level)])) };
}

/** Returns a plausible descriptor without its tensors, the form of an activation fused into another operator. */
export function plausibleActivation(type: OperatorType): AnyFields {
  const fields = Object.entries(plausible(type, '6.4'));
  return Object.fromEntries(fields.filter(([name]) => !name.endsWith('Tensor')));
}

function plausibleValue(field: FieldSchema, level: FeatureLevel): unknown {
  switch (field.kind) {
    case 'tensor':
      return plausibleTensor(field, level);
    case 'tensorArray':
      return [plausibleTensor(field, level)];
    case 'enum':
      return plausibleMember(field.enumName ?? 'DataType', level);
    case 'bool':
      return false;
    case 'uintArray':
    case 'intArray':
    case 'floatArray':
      return [1];
    case 'size2d':
      return { width: 1, height: 1 };
    case 'operatorArray':
      return [];
    default:
      return 1;
  }
}

function plausibleTensor({ support }: FieldSchema, level: FeatureLevel): AnyFields {
  const row = support?.find(({ since }) => reaches(level, since));
  return { dataType: row?.dataTypes[0], sizes: new Array<number>(row?.minDimensionCount ?? 1).fill(1) };
}

function plausibleMember(enumName: keyof typeof enums, level: FeatureLevel): string | undefined {
  const { values, since }: EnumSchema = enums[enumName];
  return Object.keys(values).find((member) => reaches(level, since[member] ?? '1.0'));
}
