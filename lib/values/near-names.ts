/** Finds the names that a misspelt or foreign name may mean, for the question `did you mean …?` at the end of an error. */
import { shorten } from './errors.js';

/** In characters: longer than DirectML's longest name with its prefix. A longer text has no near names. */
const maxTextLength = 80;
/** The most names in one question. */
const maxNames = 3;
/** If a part of a name matches more candidates than this, it is too vague. */
const maxCandidates = 6;

/** By name, other names for the same thing, such as those in ONNX or PyTorch. */
export type OtherNames = Readonly<Partial<Record<string, readonly string[]>>>;

/** `did you mean 'a' or 'b'?`; undefined if no name is near. */
export function didYouMean(given: unknown, names: readonly string[], otherNames: OtherNames = {}): string | undefined {
  return questionOf(nearNames(given, names, otherNames));
}

export function questionOf(names: readonly string[]): string | undefined {
  const quoted = names.slice(0, maxNames).map((name) => `'${shorten(name)}'`);
  const last = quoted.pop();
  if (last === undefined) return undefined;
  return `did you mean ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}?`;
}

/**
 * The names that `given` may mean. The ways to match are tried from the most to the least reliable; the first one with a result
 * wins.
 */
export function nearNames(given: unknown, all: readonly string[], otherNames: OtherNames = {}): readonly string[] {
  if (typeof given !== 'string' || given.length > maxTextLength) return [];
  const text = plain(given);
  if (text === '') return [];
  // Each way examines all names, and the names of a graph may be long.
  const names = all.filter(({ length }) => length <= maxTextLength);
  const last = plain(lastPart(given));
  const withOtherName = (is: (other: string) => boolean) =>
    names.filter((name) => Object.hasOwn(otherNames, name) && otherNames[name]?.some(is));
  const ways = [
    () => names.filter((name) => plain(name) === text),
    () => (text.startsWith('dml') ? longestEnding(text, names) : []),
    () => (last === text ? [] : withOtherName((other) => plain(other) === text)),
    () => withOtherName((other) => plain(other) === last || plain(lastPart(other)) === last),
    () => matchingPart(text, names),
    () => spelledAlike(text, names),
  ];
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** The letters and digits in lower case: equal for `SCATTER_ND`, `scatterND` and `scatter-nd`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `softmax` of `torch.nn.functional.softmax` */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The longest name with which the text ends, such as `none` for `DML_MATRIX_TRANSFORM_NONE`. */
function longestEnding(text: string, names: readonly string[]): readonly string[] {
  const endings = names.filter((name) => text.endsWith(plain(name)));
  return endings.sort((a, b) => b.length - a.length).slice(0, 1);
}

/** Names that begin with the text, or whose last words are the text (from a capital letter on); the shortest first. */
function matchingPart(text: string, names: readonly string[]): readonly string[] {
  if (text.length < 3) return [];
  const found = names.filter((name) => {
    if (plain(name).startsWith(text)) return true;
    const ending = name.slice(-text.length);
    return plain(ending) === text && /^[A-Z]/.test(ending);
  });
  return found.length > maxCandidates ? [] : found.sort((a, b) => a.length - b.length);
}

/** The names with the fewest typing errors, if there are few enough for the length of the text. */
export function spelledAlike(given: string, names: readonly string[]): readonly string[] {
  if (given.length > maxTextLength) return [];
  const text = plain(given);
  let fewest = text.length < 3 ? 0 : text.length < 8 ? 1 : text.length < 14 ? 2 : 3;
  let found: string[] = [];
  for (const name of names) {
    const errors = typingErrors(text, plain(name), fewest);
    if (errors > fewest) continue;
    if (errors < fewest) found = [];
    fewest = errors;
    found.push(name);
  }
  return found;
}

/** The number of wrong, missing, added and swapped letters between two texts; if it exceeds `maximum`, any number above that. */
function typingErrors(a: string, b: string, maximum: number): number {
  if (Math.abs(a.length - b.length) > maximum) return maximum + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = (last[j - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(changed, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, swapped));
    }
    [beforeLast, last] = [last, row];
    // Of thousands of names, most already differ in their first letters.
    if (last.every((errors) => errors > maximum) && beforeLast.every((errors) => errors > maximum)) return maximum + 1;
  }
  return last[b.length] ?? Infinity;
}
