/** Finds the web platform tests of WebNN in a checkout, and reads their metadata. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test file with one of its variants, such as `?gpu`. */
export interface TestRun {
  readonly file: string;
  readonly variant: string;
}

/** All test files, each with its variants for this device and those for no particular device. */
export function testRuns(root: string, device: string, wanted: (file: string) => boolean): readonly TestRun[] {
  const files = readdirSync(join(root, 'webnn'), { recursive: true })
    .map((file) => `webnn/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => /\.(any|window)\.js$/.test(file) && wanted(file))
    .sort();
  return files.flatMap((file) => variantsOf(root, file, device).map((variant) => ({ file, variant })));
}

/** The lines `// META: key=value` at the head of a file. */
export function metaOf(root: string, file: string): readonly (readonly [string, string])[] {
  const meta: [string, string][] = [];
  for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
    const [, key, value] = /^\/\/ META: (\w+)=(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) meta.push([key, value]);
    else if (line.trim() !== '' && !line.startsWith('//')) break;
  }
  return meta;
}

function variantsOf(root: string, file: string, device: string): readonly string[] {
  const variants = metaOf(root, file).flatMap(([key, value]) => (key === 'variant' ? [value] : []));
  if (variants.length === 0) return [''];
  return variants.filter((variant) => {
    const named = new URLSearchParams(variant).get('device') ?? variant.replace(/^\?/, '').split('&')[0] ?? '';
    return !['cpu', 'gpu', 'npu'].includes(named) || named === device;
  });
}

/** The path, in the checkout, of the file to which a test refers as `reference`. */
export function pathOf(root: string, file: string, reference: string): string {
  const { pathname } = new URL(reference, `https://web-platform.test/${file}`);
  // The web platform test server serves this file under another name.
  const name = pathname === '/resources/WebIDLParser.js' ? '/resources/webidl2/lib/webidl2.js' : pathname;
  return join(root, decodeURIComponent(name));
}
