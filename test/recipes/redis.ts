/** A Redis server of its own for a test. Installs Debian's server if there is none. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const program = 'redis-server';

export interface Redis {
  readonly url: string;
  /** Resolves when the server has ended. */
  readonly stop: () => Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1, which writes no files. Rejects with what to do if redis-server is missing. */
export async function startRedis(): Promise<Redis> {
  const failure = isInstalled() ? '' : await install();
  if (!isInstalled()) throw new Error(`This recipe is tested with ${program}, which is missing. ${failure}\nInstall it.`);
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const lines: string[] = [];
  const isReady = new Promise<void>((resolve) => {
    createInterface(server.stdout).on('line', (line) => {
      lines.push(line);
      if (line.includes('Ready to accept connections')) resolve();
    });
  });
  await Promise.race([isReady, ended.then(() => Promise.reject(new Error(`${program} ended:\n${lines.join('\n')}`)))]);
  const stop = async () => {
    server.kill();
    await ended;
  };
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function install(): Promise<string> {
  const { href } = new URL('../../scripts/shared/debian.mjs', import.meta.url);
  const debian = (await import(href)) as { readonly installDebianPackage: (name: string) => Promise<string> };
  return debian.installDebianPackage(program);
}

function isInstalled(): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error(`a server has the address ${String(address)}`);
  return address.port;
}
