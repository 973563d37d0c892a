/** Errors of the operators in a function, in the words of the function. */
import { fromProgram } from '../api/call-site.js';
import { define } from '../values/define.js';
import { DirectMLError } from '../values/errors.js';

/** What the first inputs of operators are to functions of arrays; the others have the same name, but for `Tensor`. */
const names: Readonly<Record<string, string>> = {
  aTensor: 'x',
  inputTensor: 'x',
  inputTensors: 'arrays',
  bTensor: 'y',
  exponentTensor: 'y',
};

/** Runs the work of a function. What an operator or a view refuses names the function and its arguments. */
export function inWordsOf<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw renamed(name, error);
  }
}

/** The same for work that ends later. */
export async function inWordsOfLater(name: string, work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    throw renamed(name, error);
  }
}

/** Runs the work of a function that was called with tensors: the values of its graph are tensors to the program. */
export function inTensorWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DirectMLError)) throw error;
    const said = (text: string) => text.replaceAll(/\bvalue(s?) of a graph\b/g, 'tensor$1');
    const copy = fromProgram(error, said(error.message));
    if (copy instanceof DirectMLError && error.given !== undefined)
      define(copy, 'given', said(error.given), 'writable', 'enumerable');
    throw copy;
  }
}

function renamed(name: string, error: unknown): unknown {
  if (!(error instanceof DirectMLError) || error.message.startsWith(`${name}: `)) return error;
  const { operator = '', field } = error;
  const text = error.message.startsWith(`${operator}: `) ? error.message.slice(operator.length + 2) : error.message;
  const copy = fromProgram(error, `${name}: ${inNames(text)}`);
  if (!(copy instanceof DirectMLError)) return copy;
  define(copy, 'operator', name, 'writable', 'enumerable');
  if (field !== undefined) define(copy, 'field', inNames(field), 'writable', 'enumerable');
  return copy;
}

/** Without what names the inputs of the graph that the function makes. */
function inNames(text: string): string {
  return text
    .replace(/ \(\w+Tensor is 'args\[.*\)$/, '')
    .replaceAll(/\b([a-z]\w*?)Tensors?\b/g, (tensor, input: string) => names[tensor] ?? input);
}
