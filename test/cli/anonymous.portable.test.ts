/** The report of the doctor shows no folders. */
import { expect, it } from 'vitest';
import { withoutFolders } from '#lib/cli/doctor/anonymous.js';

it.each([
  ['ok d3d12.dll: C:\\Windows\\System32\\d3d12.dll', 'ok d3d12.dll: …\\d3d12.dll'],
  ['DirectML.dll: C:\\Users\\Jane Doe\\my app\\DirectML.dll', 'DirectML.dll: …\\DirectML.dll'],
  ['\\\\?\\C:\\Users\\jane\\a.node is missing', '…\\a.node is missing'],
  ['\\\\server\\jane\\share\\a.node', '…\\a.node'],
  ['    at run (C:\\Users\\Jane Doe\\x\\run.js:12:3)', '    at run (…\\run.js:12:3)'],
  ['    at file:///C:/Users/Jane%20Doe/x/run.mjs:12:3', '    at …/run.mjs:12:3'],
  ['    at file:///home/jane/x/run.mjs:12:3', '    at …/run.mjs:12:3'],
  ["cannot open '/home/jane/x/model.json'", "cannot open '…/model.json'"],
  ['    at run (/home/jane/run.js:1:2)', '    at run (…/run.js:1:2)'],
])('%s', (text, expected) => {
  expect(withoutFolders(text)).toBe(expected);
});

it.each([
  '512 MiB/s, 3 of 4 cases / 2 mismatches',
  'see https://github.com/node-directml/node-directml/issues',
  '{"descriptor":{"type":"gemm"},"data":{"aTensor":"AAAA/x/y8/zz+A=="}}',
  'outputTensor at [0, 1]: expected 1/2',
])('leaves %s', (text) => {
  expect(withoutFolders(text)).toBe(text);
});
