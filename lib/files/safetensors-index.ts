/** The files of a model: those that the program names, and those in an index. */
import type { Wait } from '../api/abortable.js';
import { describe } from '../values/errors.js';
import { invalidFile, readWhole, tensorPlace, type FilePath } from './file-reader.js';
import { isJsonObject, maxJsonBytes, parseObject, property } from './json.js';
import { NamedFiles } from './named-files.js';
import { readPath, readTexts } from './options.js';
import { Turns } from './turns.js';

interface SourceFile {
  readonly path: string | FilePath;
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
  const place = { operator: method, field: path };
  const bytes = await readWhole(method, path, maxJsonBytes, wait);
  const map = property(await parseObject(bytes, place, new Turns(wait)), 'weight_map');
  if (!isJsonObject(map)) throw invalidFile(place, 'a weight_map of file names by tensor', describe(map));
  const named = await NamedFiles.by(place, 'the index');
  const byFile = new Map<unknown, { readonly path: FilePath; readonly names: Set<string> }>();
  for (const [name, file] of Object.entries(map)) {
    const known = byFile.get(file);
    if (known !== undefined) known.names.add(name);
    else byFile.set(file, { path: await named.find(file, tensorPlace(place, name)), names: new Set([name]) });
  }
  return [...byFile.values()];
}
