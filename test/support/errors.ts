/** Helpers that catch the error of a refused call. */
import { DirectMLError, type ErrorCode } from 'node-directml';

export function caught(call: () => unknown): DirectMLError {
  try {
    call();
  } catch (error) {
    if (error instanceof DirectMLError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

export async function rejected(promise: Promise<unknown>): Promise<DirectMLError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof DirectMLError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}

/** The error's code and field. Also checks that the message contains the operator, the field, expected and given. */
export function gist(error: DirectMLError): [code: ErrorCode, field: string | undefined] {
  // The label of a traced function may come first.
  const starts = [error.message, error.message.slice(error.message.indexOf(': ') + 2)];
  if (error.operator !== undefined && !starts.some((start) => start.startsWith(`${error.operator}: `))) {
    throw new Error(`the message does not begin with the operator: ${error.message}`);
  }
  for (const part of [error.field, error.expected, error.given]) {
    if (part !== undefined && !error.message.includes(part)) throw new Error(`"${part}" is not in "${error.message}"`);
  }
  return [error.code, error.field];
}
