/** Converts the addon's errors into DirectMLError, and adds the operator that they are about. */
import { DirectMLError, shorten, type ErrorCode } from '../../values/errors.js';
import { lossText } from '../backend.js';
import { limitField, overMemoryLimit } from '../memory-limit.js';
import type { ResolvedGraph } from '../../graph/resolved-graph.js';

const FAILED = 'ERR_NATIVE_CALL';
const maxShownTypes = 8;

/** The package's code for each code of the addon. Any other code becomes ERR_NATIVE_CALL. */
const codes: Readonly<Record<string, ErrorCode>> = {
  ERR_INVALID_ARGUMENT: 'ERR_INVALID_ARGUMENT',
  ERR_INVALID_DESCRIPTOR: 'ERR_INVALID_DESCRIPTOR',
  ERR_INVALID_BINDING: 'ERR_BINDING_RANGE',
  ERR_DISPOSED: 'ERR_DISPOSED',
  ERR_WRONG_DEVICE: 'ERR_WRONG_DEVICE',
  ERR_DEVICE_LOST: 'ERR_DEVICE_LOST',
  ERR_OUT_OF_MEMORY: 'ERR_OUT_OF_MEMORY',
  ERR_NO_ADAPTER: 'ERR_NO_ADAPTER',
  ERR_DIRECTML_NOT_FOUND: 'ERR_DIRECTML_NOT_FOUND',
  ERR_DIRECTML_NOT_A_DLL: 'ERR_DIRECTML_NOT_A_DLL',
  ERR_DIRECTML_TOO_OLD: 'ERR_DIRECTML_TOO_OLD',
  ERR_NOT_SHAREABLE: 'ERR_NOT_SHAREABLE',
};

/** Calls the addon. `operator` is what an error is about. */
export function attempt<T>(call: () => T, operator?: string): T {
  try {
    return call();
  } catch (error) {
    throw fromNative(error, operator);
  }
}

/** `adviceFor` returns lines that say what to do about an error of this code. */
export function fromNative(
  error: unknown,
  operator?: string,
  adviceFor: (code: ErrorCode) => readonly string[] = () => [],
): DirectMLError {
  if (error instanceof DirectMLError) return error;
  if (!(error instanceof Error)) return new DirectMLError(FAILED, String(error));
  const field = textOf(error, 'field');
  const call = textOf(error, 'call');
  const hresult = own(error, 'hresult');
  const hresultName = textOf(error, 'hresultName');
  if (field === limitField) return overLimit(error, operator);
  const debugMessages = messagesOf(error);
  const prefix = operator === undefined ? '' : `${operator}: `;
  const given = textOf(error, 'code') ?? '';
  const code = Object.hasOwn(codes, given) ? (codes[given] ?? FAILED) : FAILED;
  const text = code === 'ERR_DEVICE_LOST' ? lossText(error.message) : error.message;
  const lines = [prefix + text, ...adviceFor(code).map((line) => `- ${line}`)];
  return new DirectMLError(code, lines.join('\n'), {
    ...(operator === undefined ? {} : { operator }),
    ...(field === undefined ? {} : { field }),
    ...(call === undefined ? {} : { call }),
    ...(typeof hresult === 'number' ? { hresult } : {}),
    ...(hresultName === undefined ? {} : { hresultName }),
    ...(debugMessages.length === 0 ? {} : { debugMessages }),
    cause: error,
  });
}

/** The addon's message has the bytes that are left, those of the limit, and those to allocate. */
function overLimit(error: Error, operator?: string): DirectMLError {
  const [rest = 0, limit = 0, size = 0] = (error.message.match(/\d+/g) ?? []).map(Number);
  return overMemoryLimit(limit, rest, size, operator);
}

/** Like {@link fromNative} for a graph. `names` has the name of a node for each operator of the native graph. */
export function fromNativeGraph(error: unknown, summary: string, names: readonly string[]): DirectMLError {
  const operator = /^operators\[(\d+)\]/.exec(error instanceof Error ? (textOf(error, 'field') ?? '') : '')?.[1];
  const node = operator === undefined ? undefined : names[Number(operator)];
  return fromNative(error, node === undefined ? summary : `graph, node ${shorten(node)}`);
}

/** `graph of 3 nodes (convolution, activationRelu, gemm), 2 inputs, 1 output` */
export function summaryOf({ nodes, inputs, outputs }: ResolvedGraph): string {
  const types = [...new Set(nodes.map(({ operator }) => operator.descriptor.type))];
  const shown = types.length <= maxShownTypes ? types.join(', ') : `${types.slice(0, maxShownTypes).join(', ')}, ...`;
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  return `graph of ${count(nodes.length, 'node')} (${shown}), ${count(inputs.length, 'input')}, ${count(outputs.length, 'output')}`;
}

/** A text that the addon has put on its error. */
export function textOf(error: Error, name: string): string | undefined {
  const value = own(error, name);
  return typeof value === 'string' ? value : undefined;
}

function messagesOf(error: Error): string[] {
  const value = own(error, 'debugMessages');
  return Array.isArray(value) ? value.filter((message) => typeof message === 'string') : [];
}

function own(error: Error, name: string): unknown {
  return Object.hasOwn(error, name) ? Reflect.get(error, name) : undefined;
}
