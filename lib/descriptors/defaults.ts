/** Computes the default values of fields that a descriptor leaves out, as the operator table defines them. */
import { isFloat, isWide, rangeOf, wideRangeOf } from '../tensors/data-types.js';
import type { DefaultSchema, FieldSchema } from './types.js';
import {
  isTensorOrDraft,
  needDataType,
  needDimensionCount,
  needSizes,
  type DraftedValues,
  type TensorOrDraft,
} from './drafted.js';

/** Batch and channel, the dimensions before the spatial ones. */
const leadingDimensions = 2;

/**
 * The default of a field, in the form in which a user gives it. Undefined if the other fields do not determine it.
 *
 * @param fields The known fields by name.
 */
export function defaultValue(schema: FieldSchema, fields: DraftedValues): unknown {
  const given = schema.default;
  if (given === undefined) return undefined;
  if ('value' in given) return given.value;
  if ('fill' in given) return filled(given, fields);
  switch (given.rule) {
    case 'ratio of sizes':
      return ratioOfSizes(schema, given, fields);
    case 'activations per direction':
      return activationsPerDirection(given.activations, fields['direction']);
    case 'attention scale':
      return attentionScale(fields);
    case 'while':
      return fields[given.of] === given.is ? given.then : undefined;
    case 'same value':
      return fields[given.of];
    case 'one diagonal':
      return oneDiagonal(fields[given.of], fields);
    case 'quantization type':
      return quantizationType(fields[given.of]);
    case 'lowest value':
      return extreme(schema, tensorIn(fields, given.of), 'low');
    case 'highest value':
      return extreme(schema, tensorIn(fields, given.of), 'high');
    default:
      return fromTensor(given.rule, schema, tensorIn(fields, given.of));
  }
}

type Fill = Extract<DefaultSchema, { readonly fill: number }>;

function filled(given: Fill, fields: DraftedValues): number[] | undefined {
  const count = fillCount(given, fields);
  return count === undefined ? undefined : new Array<number>(Math.max(0, count)).fill(given.fill);
}

function fillCount(given: Fill, fields: DraftedValues): number | undefined {
  if ('perElementOf' in given) {
    const array = fields[given.perElementOf];
    return Array.isArray(array) ? array.length : undefined;
  }
  if ('perDimensionOf' in given) return dimensionsOf(tensorIn(fields, given.perDimensionOf));
  const count = dimensionsOf(tensorIn(fields, given.perSpatialDimensionOf));
  return count === undefined ? undefined : count - leadingDimensions;
}

type TensorRule = 'last axis' | 'all axes' | 'dimension count' | 'data type' | 'spatial size';

function fromTensor(rule: TensorRule, { kind }: FieldSchema, tensor: TensorOrDraft | undefined): unknown {
  if (tensor === undefined) return undefined;
  switch (rule) {
    case 'data type':
      return tensor.dataType;
    case 'dimension count':
      return dimensionsOf(tensor);
    case 'spatial size':
      return { width: needSizes(tensor).at(-1), height: needSizes(tensor).at(-2) };
    case 'last axis': {
      const last = needSizes(tensor).length - 1;
      return kind === 'uint' ? last : [last];
    }
    case 'all axes':
      return [...needSizes(tensor).keys()];
  }
}

type Ratio = Extract<DefaultSchema, { readonly rule: 'ratio of sizes' }>;

/**
 * The sizes of `of` divided by those of `to`: an array, or width and height, depending on the kind of the field. There are as many
 * as the input has: if the output has more or fewer, the error is about that, not about a field that the program left out.
 */
function ratioOfSizes({ kind }: FieldSchema, { of: over, to: under }: Ratio, fields: DraftedValues): unknown {
  const [of, to] = [tensorIn(fields, over), tensorIn(fields, under)];
  if (of === undefined || to === undefined) return undefined;
  const [dividends, divisors] = [needSizes(of), needSizes(to)];
  const input = over.startsWith('input') ? dividends : divisors;
  const ratios = input.map((_, axis) => (dividends[axis] ?? 1) / (divisors[axis] ?? 1));
  return kind === 'size2d' ? { width: ratios.at(-1), height: ratios.at(-2) } : ratios;
}

/** The lowest or highest value of the tensor's data type, as a limit that clips no element; infinite for floats. */
function extreme({ kind }: FieldSchema, tensor: TensorOrDraft | undefined, end: 'low' | 'high'): number | bigint {
  const dataType = tensor === undefined ? undefined : needDataType(tensor);
  if (dataType === undefined || isFloat(dataType)) return end === 'low' ? -Infinity : Infinity;
  if (!isWide(dataType)) return rangeOf(dataType)[end];
  const wide = wideRangeOf(dataType)[end];
  return kind === 'scalar' ? wide : Number(wide);
}

function activationsPerDirection(types: readonly string[], direction: unknown): unknown {
  const once = types.map((type) => ({ type }));
  return direction === 'bidirectional' ? [...once, ...once] : once;
}

/** 1 / √(size of a head of the queries). In a stacked tensor the last dimension has the size of a head. */
function attentionScale(fields: DraftedValues): number | undefined {
  const query = tensorIn(fields, 'queryTensor');
  const stacked = tensorIn(fields, 'stackedQueryKeyTensor') ?? tensorIn(fields, 'stackedQueryKeyValueTensor');
  if (stacked !== undefined) return 1 / Math.sqrt(needSizes(stacked).at(-1) ?? 1);
  const headCount = fields['queryHeadCount'] ?? fields['headCount'];
  if (query === undefined || typeof headCount !== 'number' || headCount === 0) return undefined;
  return 1 / Math.sqrt((needSizes(query).at(-1) ?? 1) / headCount);
}

/** The end of a band of one diagonal. With an input, bands up to a corner are as usual, so there is no default. */
function oneDiagonal(begin: unknown, fields: DraftedValues): number | undefined {
  return typeof begin === 'number' && fields['inputTensor'] === null ? begin + 1 : undefined;
}

function quantizationType(tensors: unknown): string | undefined {
  if (!Array.isArray(tensors)) return undefined;
  return tensors.length === 1 ? 'scale' : tensors.length === 2 ? 'scaleZeroPoint' : undefined;
}

function tensorIn(fields: DraftedValues, name: string): TensorOrDraft | undefined {
  const tensor = fields[name];
  return isTensorOrDraft(tensor) ? tensor : undefined;
}

function dimensionsOf(tensor: TensorOrDraft | undefined): number | undefined {
  return tensor === undefined ? undefined : needDimensionCount(tensor);
}
