/** Builds the site and serves it, as GitHub Pages does. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Site {
  /** The address of the site, with a slash at its end. */
  readonly address: string;
  readonly close: () => Promise<void>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'build', 'docs', 'site');
const base = '/node-directml/';
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Rejects with what the build printed, such as dead links. */
export async function openSite(): Promise<Site> {
  await promisify(execFile)(process.execPath, ['scripts/docs.mjs', '--site'], { cwd: root });
  const server = createServer((request, response) => {
    const file = fileOf(new URL(request.url ?? '', 'http://localhost').pathname);
    readFile(join(folder, file)).then(
      (content) => response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    address: `http://127.0.0.1:${address.port}${base}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Requests name pages without `.html`. */
function fileOf(pathname: string): string {
  const path = pathname.startsWith(base) ? decodeURI(pathname.slice(base.length)) : 'outside';
  if (path === '' || path.endsWith('/')) return `${path}index.html`;
  return extname(path) === '' ? `${path}.html` : path;
}
