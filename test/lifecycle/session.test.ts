/** The class on the page about lost devices goes on after a loss, as the page says. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompiledOperator, Device, Tensor } from 'node-directml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, root, writePageFile } from '../support/pages.js';

interface Made {
  readonly device: Device;
  readonly x: Tensor<'float32'>;
  readonly square: CompiledOperator<'elementWiseMultiply'>;
}

interface Session {
  run<Result>(work: (made: Made) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

interface Page {
  readonly Session: new (setUp: (device: Device) => Promise<Made>) => Session;
}

let scratch = '';

beforeAll(() => {
  mkdirSync(join(root, 'build'), { recursive: true });
  scratch = mkdtempSync(join(root, 'build', 'session-'));
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

async function openSession(opened: Device[]): Promise<Session> {
  const file = join(scratch, 'session.mjs');
  writePageFile(file, codeOf('docs/guides/lost-devices.md', ['js']).files.get('session.mjs') ?? '');
  const { Session } = (await import(pathToFileURL(file).href)) as Page;
  return new Session(async (device) => {
    opened.push(device);
    const x = device.createTensor({ dataType: 'float32', sizes: [3] });
    return { device, x, square: await device.compile({ type: 'elementWiseMultiply', aTensor: x, bTensor: x }) };
  });
}

function squares({ x, square }: Made): Promise<Float32Array> {
  x.write([1, 2, 3]);
  square.dispatch({ aTensor: x, bTensor: x, outputTensor: x });
  return x.read();
}

test('work continues with a new device after a loss between two uses or during one', async () => {
  const opened: Device[] = [];
  const session = await openSession(opened);
  expect([...(await session.run(squares))]).toEqual([1, 4, 9]);
  for (const device of opened) device.simulateLoss();
  expect([...(await session.run(squares))]).toEqual([1, 4, 9]);
  expect(opened).toHaveLength(2);

  let isRemoved = false;
  const result = await session.run((made) => {
    const pending = squares(made);
    if (!isRemoved) made.device.simulateLoss();
    isRemoved = true;
    return pending;
  });
  expect([...result]).toEqual([1, 4, 9]);
  expect(opened).toHaveLength(3);
  for (const device of opened.slice(0, 2)) expect(await device.lost).toMatchObject({ reason: 'unknown' });
  await session.close();
});

test('a device that is lost repeatedly is an error in the end', async () => {
  const opened: Device[] = [];
  const session = await openSession(opened);
  const work = session.run((made) => {
    made.device.simulateLoss();
    return squares(made);
  });
  await expect(work).rejects.toMatchObject({ code: 'ERR_DEVICE_LOST' });
  expect(opened).toHaveLength(3);
  for (const device of opened) device.dispose();
});
