/** Changes of files that the generators of malformed files share. */
import type { Random } from '../../harness/random.js';

export interface MalformedFile {
  /** What was changed, for failures. */
  readonly what: string;
  readonly bytes: Uint8Array;
}

/** Replaces, removes or doubles a value anywhere in the object, once or twice. `wrong` is what may stand in its place. */
export function changeValues(random: Random, object: Record<string, unknown>, wrong: readonly unknown[]): void {
  for (let count = random.int(1, 2); count > 0; count--) changeValue(random, object, wrong);
}

function changeValue(random: Random, outer: Record<string, unknown>, wrong: readonly unknown[]): void {
  let object = outer;
  for (let depth = random.int(0, 2); depth > 0; depth--) {
    const inner = Object.values(object).filter((value) => typeof value === 'object' && value !== null);
    if (inner.length > 0) object = random.pick(inner) as Record<string, unknown>;
  }
  const names = Object.keys(object);
  const name = names.length === 0 ? 'new' : random.pick(names);
  const value = object[name];
  if (typeof value === 'number' && random.chance(0.6)) {
    object[name] = value + random.pick([-8, -4, -1, 1, 2, 4, 8]);
    return;
  }
  const way = random.int(0, 5);
  if (way === 0) Reflect.deleteProperty(object, name);
  else if (way === 1) object[random.pick(['', '__metadata__', 'toString', 'copy'])] = structuredClone(value);
  else object[name] = structuredClone(random.pick(wrong));
}

/** Inserts one of the pieces anywhere into the text, sometimes in the place of one or two characters. */
export function changeText(random: Random, text: string, pieces: readonly string[]): string {
  const at = random.int(0, text.length);
  const inserted = random.pick(pieces);
  return text.slice(0, at) + inserted + text.slice(at + random.pick([0, 0, 1, 2]));
}

/** Overwrites single bytes. */
export function changeBytes(random: Random, bytes: Buffer): Buffer {
  for (let count = random.int(1, 3); count > 0; count--) bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  return bytes;
}

/** Cuts the file off, or adds bytes at its end. */
export function cut(random: Random, bytes: Buffer): Buffer {
  if (random.chance(0.3)) return Buffer.concat([bytes, random.bytes(random.int(1, 9))]);
  return bytes.subarray(0, random.int(0, bytes.length));
}

/** What may be inserted into JSON. */
export const jsonPieces: readonly string[] = [
  ...['{', '}', '[', ']', '"', ',', ':', ' ', '\\', '\\u0061', '0', '-', 'null', '\0', '\ufeff'],
  ...['"t0":1,', '"__proto__":{},'],
];
