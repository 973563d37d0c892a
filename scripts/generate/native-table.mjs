// Writes native/describe/generated/operator_table.inc: the rows are X-macros, so that the compiler computes the offsets.
import { banner } from './banner.mjs';

/** @typedef {import('./facts.mjs').Field} Field */

const flagOptional = 1;

/** @type {Record<string, string>} */
const kinds = {
  uint: 'UInt',
  int: 'Int',
  float: 'Float',
  bool: 'Bool',
  enum: 'Enum',
  uintArray: 'UIntArray',
  intArray: 'IntArray',
  floatArray: 'FloatArray',
  size2d: 'Size2D',
  scaleBias: 'ScaleBias',
  scalar: 'Scalar',
  operator: 'Operator',
  operatorArray: 'OperatorArray',
};

/** @returns {string} */
export function nativeTableFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  const rows = operators.map(({ nativeName, descName, fields }) => {
    const lines = fields.map(
      (field) =>
        `DML_FIELD(${kindOf(field)}, "${field.name}", ${descName}, ${field.nativeName}, ` +
        `"${field.countField ?? ''}", ${field.optional ? flagOptional : 0})\n`,
    );
    return `DML_OPERATOR_ROW_BEGIN(${nativeName}, ${descName})\n${lines.join('')}DML_OPERATOR_ROW_END()\n`;
  });
  return `${banner}// DML_FIELD(kind, name in JavaScript, struct, field, name of the count field, flags: 1 = may be null)\n\n${rows.join('\n')}`;
}

function kindOf(/** @type {Field} */ field) {
  const role = field.role === 'output' ? 'Output' : 'Input';
  if (field.kind === 'tensor') return `${role}Tensor`;
  if (field.kind === 'tensorArray') return `${role}TensorArray`;
  const kind = kinds[field.kind];
  if (kind === undefined) throw new Error(`no native kind for ${field.kind}`);
  return kind;
}
