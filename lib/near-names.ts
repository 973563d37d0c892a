/** The name that somebody meant who wrote another one: for the question at the end of an error. */

/** Longer than DirectML's longest name with its prefix. A longer text is not compared with anything. */
const longestText = 80;
/** Names in one question. */
const mostNames = 3;
/** With more candidates than these, a part of a name tells too little. */
const mostCandidates = 6;

/** What else a name may be called. */
export type OtherNames = Readonly<Partial<Record<string, readonly string[]>>>;

/** `did you mean 'a' or 'b'?`; undefined where no name is near. */
export function didYouMean(given: unknown, names: readonly string[], otherNames: OtherNames = {}): string | undefined {
  return questionOf(nearNames(given, names, otherNames));
}

export function questionOf(names: readonly string[]): string | undefined {
  const quoted = names.slice(0, mostNames).map((name) => `'${name}'`);
  const last = quoted.pop();
  if (last === undefined) return undefined;
  return `did you mean ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}?`;
}

/** The names that `given` can stand for; of several ways to be near, those of the surest one. */
export function nearNames(given: unknown, names: readonly string[], otherNames: OtherNames = {}): readonly string[] {
  if (typeof given !== 'string' || given.length > longestText) return [];
  const text = plain(given);
  if (text === '') return [];
  const last = plain(lastPart(given));
  const having = (is: (other: string) => boolean) =>
    names.filter((name) => Object.hasOwn(otherNames, name) && otherNames[name]?.some(is));
  const ways = [
    () => names.filter((name) => plain(name) === text),
    () => (text.startsWith('dml') ? longestEnding(text, names) : []),
    () => (last === text ? [] : having((other) => plain(other) === text)),
    () => having((other) => plain(other) === last || plain(lastPart(other)) === last),
    () => havingPart(text, names),
    () => spelledAlike(text, names),
  ];
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** `SCATTER_ND`, `scatterND` and `scatter-nd` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `softmax` of `torch.nn.functional.softmax` */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** `DML_MATRIX_TRANSFORM_NONE` ends with `none`. */
function longestEnding(text: string, names: readonly string[]): readonly string[] {
  const endings = names.filter((name) => text.endsWith(plain(name)));
  return endings.sort((a, b) => b.length - a.length).slice(0, 1);
}

/** Names that begin with the text, or end with it from a capital letter on; the shortest first. */
function havingPart(text: string, names: readonly string[]): readonly string[] {
  if (text.length < 3) return [];
  const found = names.filter((name) => {
    if (plain(name).startsWith(text)) return true;
    const ending = name.slice(-text.length);
    return plain(ending) === text && /^[A-Z]/.test(ending);
  });
  return found.length > mostCandidates ? [] : found.sort((a, b) => a.length - b.length);
}

/** The names with the fewest typing errors, if they are few enough for the length of the text. */
export function spelledAlike(given: string, names: readonly string[]): readonly string[] {
  if (given.length > longestText) return [];
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

/** Letters that are wrong, missing or too many, and neighbours that are swapped; above `most`, only that it is more. */
function typingErrors(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
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
  }
  return last[b.length] ?? Infinity;
}
