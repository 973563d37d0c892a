/**
 * The example on each page of docs/operators: TypeScript accepts the program, and it prints what the page shows, on the
 * reference backend and, on Windows, on the real DirectML.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDevice, type Device } from 'node-directml';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { rules } from '#lib/validation/rules/index.js';
import { typeErrors } from '../support/check-types.js';
import { backends } from '../support/devices.js';
import { compare, shownBy } from './page-example.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'docs', 'operators');
const firstLine = "import { createDevice } from 'node-directml';\n";

/** The program on each page, by operator. */
const programs = new Map(
  readdirSync(folder).flatMap((file) => {
    const [, program] =
      /^## Example\n\n```ts\n(.*?)^```$/ms.exec(readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')) ?? [];
    return program === undefined ? [] : [[file.replace('.md', ''), program] as const];
  }),
);

test('every operator that runs has an example', () => {
  expect([...programs.keys()].sort()).toEqual(Object.keys(rules).sort());
});

test('TypeScript accepts the examples', () => {
  const texts = new Map([...programs].map(([name, program]) => [`page-${name}.ts`, program]));
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
  };
  expect(typeErrors(texts, options)).toBe('');
});

describe.each(backends)('on %s', (backend) => {
  let device: Device;

  // All examples share one device: opening one of DirectML takes longer than running an example.
  beforeAll(async () => {
    device = await createDevice({ backend });
    vi.spyOn(device, 'dispose').mockImplementation(() => {});
  });

  afterAll(() => {
    vi.restoreAllMocks();
    device.dispose();
  });

  it.each([...programs])('%s', async (_name, program) => {
    expect(program.startsWith(firstLine)).toBe(true);
    const printed: unknown[] = [];
    await run(program.slice(firstLine.length), device, (value) => printed.push(value));
    expect(compare(shownBy(program), printed)).toEqual([]);
    expect(device.dispose).toHaveBeenCalled();
  });
});

async function run(program: string, device: Device, log: (value: unknown) => void): Promise<void> {
  const javaScript = ts.transpile(program, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext });
  const AsyncFunction: unknown = Object.getPrototypeOf(async () => {}).constructor;
  if (typeof AsyncFunction !== 'function') throw new TypeError('no constructor of asynchronous functions');
  const body: unknown = Reflect.construct(AsyncFunction, ['createDevice', 'console', javaScript]);
  if (typeof body !== 'function') throw new TypeError('no function');
  await Reflect.apply(body, undefined, [() => device, { log }]);
}
