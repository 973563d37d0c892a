/** The example on each page of docs/operators prints what the page shows, on the reference and, on Windows, on DirectML. */
import { createDevice, type Device } from 'node-directml';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { rules } from '#lib/validation/rules/index.js';
import { backends } from '../support/devices.js';
import { operatorPrograms } from '../support/pages.js';
import { compare, shownBy } from './page-example.js';

const programs = operatorPrograms();
const firstLine = "import { createDevice } from 'node-directml';\n";

test('every operator that runs has an example', () => {
  expect([...programs.keys()].sort()).toEqual(Object.keys(rules).sort());
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
