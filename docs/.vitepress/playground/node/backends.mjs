// @ts-check
// What createDevice uses of the backend on DirectML and of the worker thread: a page has neither.
import { DirectMLError } from '../../../../lib/values/errors.js';

const advice = 'This page computes with the reference backend. Install node-directml to run the program on DirectML.';

function noDirectML() {
  throw new DirectMLError('ERR_ADDON_NOT_FOUND', `createDevice: DirectML needs Windows and Node.js. ${advice}`, {
    operator: 'createDevice',
  });
}

export { noDirectML as createDirectMLBackend, noDirectML as createWorkerBackend, noDirectML as listDirectMLAdapters };

/** The program itself runs in a worker. */
export const findWorker = () => null;

export function needWorker() {
  throw new DirectMLError('ERR_NO_WORKER', `createDevice: a page has no worker thread of Node.js. ${advice}`, {
    operator: 'createDevice',
    field: 'options.thread',
  });
}

/** The file of the library's code, which is a bundle. */
export const currentFile = () => undefined;
export const isBundled = true;
