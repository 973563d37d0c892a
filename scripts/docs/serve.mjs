// @ts-check
// Serves the built site to a browser on this machine, as GitHub Pages does.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { checkout } from '../shared/common.mjs';

const folder = join(checkout, 'build', 'docs', 'site');
const base = '/node-directml/';

/** @type {Readonly<Record<string, string>>} */
const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/**
 * @typedef {object} Site
 * @property {string} address with a slash at its end
 * @property {Map<string, Buffer>} sent the files that the browser needed, by path; not what it fetched ahead for other pages
 * @property {() => Promise<void>} close
 */

/** @returns {Promise<Site>} */
export async function serve() {
  /** @type {Site['sent']} */
  const sent = new Map();
  const server = createServer((request, response) => {
    const file = fileOf(new URL(request.url ?? '', 'http://localhost').pathname);
    readFile(join(folder, file)).then(
      (content) => {
        if (request.headers['sec-purpose'] !== 'prefetch') sent.set(file, content);
        response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    address: `http://127.0.0.1:${address.port}${base}`,
    sent,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Requests name pages without `.html`. */
function fileOf(/** @type {string} */ pathname) {
  const path = pathname.startsWith(base) ? decodeURI(pathname.slice(base.length)) : 'outside';
  if (path === '' || path.endsWith('/')) return `${path}index.html`;
  return extname(path) === '' ? `${path}.html` : path;
}
