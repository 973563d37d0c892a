/** Calls the function of an operator with a descriptor: tensors by position, everything else as options. */
import * as functions from 'node-directml/operators';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { isOperatorType } from '#lib/operators/resolve.js';
import { formOf } from '#lib/functions/form.js';

/** `place` is the device or the graph, for operators without input tensors. The result is a promise or a value. */
export function callFunction(descriptor: Readonly<Record<string, unknown>>, place: object): unknown {
  const { type, ...fields } = descriptor;
  if (!isOperatorType(type)) throw new TypeError('no operator');
  const { takesPlace, positions } = formOf(type, operatorTable[type]);
  const options = Object.fromEntries(Object.entries(fields).filter(([name]) => !positions.includes(name)));
  const args = [...(takesPlace ? [place] : []), ...positions.map((name) => fields[name]), options];
  return Reflect.apply(functions[type], undefined, args);
}

/** Returns the outputs by field name, from the value that a function returned. */
export function outputsOf(type: string, returned: unknown): Readonly<Record<string, unknown>> {
  if (!isOperatorType(type)) throw new TypeError('no operator');
  const { output } = formOf(type, operatorTable[type]);
  if (output !== null) return { [output]: returned };
  return typeof returned === 'object' && returned !== null ? { ...returned } : {};
}
