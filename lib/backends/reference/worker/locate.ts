/** Finds the file that the worker runs: in the package; for a bundle beside it, or in the package that the bundle could import. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DirectMLError } from '../../../values/errors.js';
import { isBundled, currentFile } from '../../../values/current-file.js';
import { describeSearch, installedPackage, unpacked } from '../../own-package.js';

const NAME = 'node-directml-worker.cjs';

/** The file's path; null if there is none, or if the process may not start threads. */
export function findWorker(): string | null {
  return mayStartThreads() ? (candidates().find((path) => existsSync(path)) ?? null) : null;
}

/** @throws {DirectMLError} ERR_NO_WORKER if {@link findWorker} finds nothing. */
export function needWorker(): string {
  const path = findWorker();
  if (path !== null) return path;
  if (!mayStartThreads()) {
    throw noWorker('this process may not start threads', ['With the permission model of Node.js, allow it: --allow-worker']);
  }
  throw noWorker(`there is no ${NAME}: ${describeSearch(candidates())}`, [
    'Install the package again: npm install node-directml',
    `In a bundle, mark node-directml as external, or copy node_modules/node-directml/dist/module/${NAME} beside the bundle`,
    'In a checkout, build it: npm run build',
  ]);
}

function candidates(): string[] {
  const file = currentFile();
  if (file === undefined) return [];
  const inPackage = join('module', NAME);
  const paths = isBundled
    ? [join(dirname(file), NAME), ...installedPackage(file).map((folder) => join(folder, 'dist', inPackage))]
    : [join(dirname(file), inPackage)];
  return paths.map(unpacked);
}

/** Node.js's permission model can forbid threads, and Electron's renderers have none. */
function mayStartThreads(): boolean {
  if (Reflect.get(process, 'type') === 'renderer') return false;
  const permission: unknown = Reflect.get(process, 'permission');
  if (typeof permission !== 'object' || permission === null) return true;
  const has: unknown = Reflect.get(permission, 'has');
  return typeof has !== 'function' || Reflect.apply(has, permission, ['worker']) === true;
}

function noWorker(problem: string, advice: readonly string[]): DirectMLError {
  const lines = [
    `createDevice: the worker thread of the reference backend cannot be started: ${problem}.`,
    ...[...advice, `Or compute on this thread: createDevice({ backend: 'reference', thread: 'caller' })`].map(
      (line) => `- ${line}`,
    ),
  ];
  return new DirectMLError('ERR_NO_WORKER', lines.join('\n'), { operator: 'createDevice', field: 'options.thread' });
}
