/** The example on each page of docs/operators prints what the page shows, on the reference and, on Windows, on DirectML. */
import { createDevice, type Device } from 'node-directml';
import * as operators from 'node-directml/operators';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { rules } from '#lib/operators/generated/rules.js';
import { backends } from '../support/devices.js';
import { operatorPrograms, textOf } from '../support/pages.js';
import { compare, shownBy } from './page-example.js';

const programs = operatorPrograms();

test('every operator that runs has an example', () => {
  expect([...programs.keys()].sort()).toEqual(Object.keys(rules).sort());
});

test('the example is the first section of each page', () => {
  const first = (name: string) => /^## .*$/m.exec(textOf(`docs/operators/${name}.md`))?.[0];
  expect([...programs.keys()].filter((name) => first(name) !== '## Example')).toEqual([]);
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

  it.each([...programs])('%s', async (name, program) => {
    const imports = `import { createDevice } from 'node-directml';\nimport { ${name} } from 'node-directml/operators';\n`;
    expect(program.slice(0, imports.length)).toBe(imports);
    const printed: unknown[] = [];
    const operator: unknown = Reflect.get(operators, name);
    const globals = { createDevice: () => device, [name]: operator, console: { log: (value: unknown) => printed.push(value) } };
    await run(program.slice(imports.length), globals);
    expect(compare(shownBy(program), printed)).toEqual([]);
    expect(device.dispose).toHaveBeenCalled();
  });
});

/** Runs a program without imports. */
async function run(program: string, globals: Readonly<Record<string, unknown>>): Promise<void> {
  const javaScript = ts.transpile(program, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext });
  const AsyncFunction: unknown = Object.getPrototypeOf(async () => {}).constructor;
  if (typeof AsyncFunction !== 'function') throw new TypeError('no constructor of asynchronous functions');
  const body: unknown = Reflect.construct(AsyncFunction, [...Object.keys(globals), javaScript]);
  if (typeof body !== 'function') throw new TypeError('no function');
  await Reflect.apply(body, undefined, Object.values(globals));
}
