/** The files of a model: those that the program names, and those in an index. */
import { dirname, join } from 'node:path';
import type { Wait } from '../api/abortable.js';
import { describe, shorten, type Place } from '../errors.js';
import { FileReader, invalidFile, tensorPlace } from './file-reader.js';
import { isJsonObject, maxJsonBytes, parseObject, property } from './json.js';
import { readPath, readTexts } from './options.js';
import { Turns } from './turns.js';

export interface SourceFile {
  readonly path: string;
  /** The tensors that the index says are in the file; null without an index. */
  readonly names: ReadonlySet<string> | null;
}

/** The safetensors files for the argument `source`. */
export async function filesOf(method: string, source: unknown, wait: Wait | null): Promise<readonly SourceFile[]> {
  const paths =
    typeof source === 'string'
      ? [readPath(method, 'source', source)]
      : readTexts(method, 'source', source, 'a path or an array of paths').map((path, i) =>
          readPath(method, `source[${i}]`, path),
        );
  const files: SourceFile[] = [];
  for (const path of paths) {
    if (path.toLowerCase().endsWith('.json')) files.push(...(await filesInIndex(method, path, wait)));
    else files.push({ path, names: null });
  }
  return files;
}

async function filesInIndex(method: string, path: string, wait: Wait | null): Promise<readonly SourceFile[]> {
  const reader = await FileReader.open(method, path, wait);
  try {
    const { sizeInBytes, place } = reader;
    if (sizeInBytes > maxJsonBytes) throw invalidFile(place, `at most ${maxJsonBytes} bytes`, `${sizeInBytes}`);
    const bytes = new Uint8Array(sizeInBytes);
    await reader.read(bytes, 0);
    const map = property(await parseObject(bytes, place, new Turns(wait)), 'weight_map');
    if (!isJsonObject(map)) throw invalidFile(place, 'a weight_map of file names by tensor', describe(map));
    const byFile = new Map<string, Set<string>>();
    for (const [name, file] of Object.entries(map)) {
      requireInside(file, tensorPlace(place, name));
      const names = byFile.get(file);
      if (names === undefined) byFile.set(file, new Set([name]));
      else names.add(name);
    }
    return [...byFile].map(([file, names]) => ({ path: join(dirname(path), file), names }));
  } finally {
    await reader.close();
  }
}

/** Refuses paths that lead out of the folder on any system: absolute ones, drives, and `..`. */
function requireInside(file: unknown, place: Place): asserts file is string {
  if (typeof file !== 'string') throw invalidFile(place, 'the name of a file', describe(file));
  const isInside = file.split(/[\\/]/).every((part) => part !== '' && !/^\.\.?$|[:\0]/.test(part));
  if (!isInside) throw invalidFile(place, 'the path of a file within the folder of the index', `'${shorten(file)}'`);
}
