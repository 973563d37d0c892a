// @ts-check
// Runs a program on the sandbox's Windows: `npm run windows -- node script.js arguments…`. Paths are the same
// inside as outside (Wine's Z: drive is /), and the checkout's node_modules are those for Windows.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout, places, sandboxFolder } from './places.mjs';
import { ensureSandbox, runInRoot, wineEnvironment } from './setup.mjs';

export { ensureSandbox, runInRoot };

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to what is passed on of the caller's environment
 * @property {(text: string, stream: 'stdout' | 'stderr') => void} [onOutput]
 *   gets the output as it comes; without it the output goes to the caller's own stdout and stderr
 * @property {number} [timeout] in milliseconds; then all processes of the run are killed and the run is rejected
 * @property {AbortSignal} [signal] kills all processes of the run, which is then rejected
 */

/** What of the caller's environment a Windows program sees. The rest describes Linux and would mislead it. */
const passedOn = /^(NODE_DIRECTML_|VITEST|VKD3D_|LP_|WINEDEBUG$|CI$|GITHUB_ACTIONS$|FORCE_COLOR$|NO_COLOR$|DEBUG$|TZ$)/;
/** Names the run in the environment of all its processes, so that they can be found and ended. */
const runVariable = 'NODE_DIRECTML_SANDBOX_RUN';
/** Windows' own services may be started by any run and serve all. */
const services = /(services|explorer|winedevice|plugplay|svchost|rpcss|conhost)\.exe$/i;
const pollInterval = 15;
/** The runs of this process that have not ended: their folders, and the first process of each. */
const running = /** @type {Map<string, number | undefined>} */ (new Map());
let watchingOwnEnd = false;

/**
 * Runs a Windows program to its end.
 * @param {string} command `node` (the major version that runs this, else 22), `node20`, `node22`, `node24`, or
 *   the path of a program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} the whole 32-bit exit code
 */
export async function runInWindows(command, args, options = {}) {
  const sandbox = await ensureSandbox();
  const cwd = resolve(options.cwd ?? process.cwd());
  const program = programPath(command, sandbox.node, cwd);
  mkdirSync(places.runs, { recursive: true });
  mkdirSync(places.runtime, { recursive: true, mode: 0o700 });
  forgetDeadRuns();
  const folder = mkdtempSync(join(places.runs, `${process.pid}-`));
  const report = join(folder, 'exit-code');

  // Windows' node cannot write to a Linux pipe, so the output goes to files, which are followed.
  const outputs = /** @type {const} */ (['stdout', 'stderr']).map((stream) => follower(join(folder, stream), stream, options));
  const child = spawn(
    'sh',
    [
      join(sandboxFolder, 'session.sh'),
      sandbox.session,
      sandbox.root,
      checkout,
      sandbox.modules,
      cwd,
      'wine',
      sandbox.launcher,
      windowsPath(report),
      windowsPath(program),
      ...args,
    ],
    {
      // A group of its own: Ctrl-C reaches us only, and we end the run.
      detached: true,
      env: environment(sandbox, folder, options),
      stdio: ['ignore', ...outputs.map((output) => output.file)],
    },
  );

  let reason = '';
  const end = (/** @type {string} */ why) => {
    reason ||= why;
    killRun(folder, child.pid);
  };
  const onAbort = () => end('it was aborted');
  running.set(folder, child.pid);
  watchOwnEnd();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    options.timeout === undefined
      ? undefined
      : setTimeout(() => end(`it took longer than ${options.timeout} ms`), options.timeout);
  const poll = setInterval(() => outputs.forEach((output) => output.read()), pollInterval);
  try {
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (exitCode, signal) => resolve(exitCode ?? 128 + osConstants.signals[signal ?? 'SIGKILL']));
    });
    killRun(folder, undefined);
    outputs.forEach((output) => output.read());
    if (reason !== '') throw new Error(`${command} ${args.join(' ')} was ended: ${reason}`);
    return reported(report, program) ?? code;
  } finally {
    clearInterval(poll);
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
    running.delete(folder);
    outputs.forEach((output) => output.close());
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path that a Windows program knows a Linux file by. */
export function windowsPath(/** @type {string} */ path) {
  return `Z:${path.replaceAll('/', '\\')}`;
}

function programPath(/** @type {string} */ command, /** @type {string} */ nodes, /** @type {string} */ cwd) {
  const own = `node${process.versions.node.split('.')[0]}`;
  const name = command !== 'node' ? command : existsSync(join(nodes, own)) ? own : 'node22';
  const path = /^node\d+$/.test(name) ? join(nodes, name, 'bin/node.exe') : resolve(cwd, name);
  if (existsSync(path)) return path;
  throw new Error(
    `${command} is no program for Windows that is here: looked for ${path}. ` +
      'Name node, node20, node22, node24, or the path of an .exe file.',
  );
}

function environment(
  /** @type {import('./setup.mjs').Sandbox} */ sandbox,
  /** @type {string} */ run,
  /** @type {RunOptions} */ options,
) {
  const passed = Object.entries(process.env).filter(([name]) => passedOn.test(name));
  const base = wineEnvironment(sandbox.prefix, places.runtime);
  return {
    ...base,
    WINEDLLOVERRIDES: `${sandbox.native.join(',')}=n,b;${base.WINEDLLOVERRIDES}`,
    // Where the bridge notes each use of a shader that it has replaced.
    NODE_DIRECTML_BRIDGE_LOG: windowsPath(join(run, 'replaced-shaders')),
    ...Object.fromEntries(passed),
    ...options.env,
    [runVariable]: run,
  };
}

/** Hands on what a file has grown by. */
function follower(/** @type {string} */ path, /** @type {'stdout' | 'stderr'} */ stream, /** @type {RunOptions} */ options) {
  const file = openSync(path, 'a');
  const reading = openSync(path, 'r');
  const decoder = new TextDecoder();
  const chunk = Buffer.alloc(1 << 16);
  const hand = (/** @type {string} */ text) => {
    if (text === '') return;
    if (options.onOutput) options.onOutput(text, stream);
    else process[stream].write(text);
  };
  return {
    file,
    read() {
      for (let size; (size = readSync(reading, chunk, 0, chunk.length, null)) > 0;) {
        hand(decoder.decode(chunk.subarray(0, size), { stream: true }));
      }
    },
    close() {
      closeSync(file);
      closeSync(reading);
    },
  };
}

/** However this process ends, its runs end with it. */
function watchOwnEnd() {
  if (watchingOwnEnd) return;
  watchingOwnEnd = true;
  process.on('exit', () => {
    for (const [folder, leader] of running) {
      killRun(folder, leader);
      rmSync(folder, { recursive: true, force: true });
    }
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      if (running.size > 0) process.exit(128 + osConstants.signals[signal]);
      // Between runs a signal does what it would do without us.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
}

/** Deletes what runs left whose process was killed outright. */
function forgetDeadRuns() {
  for (const name of readdirSync(places.runs)) {
    if (!existsSync(`/proc/${name.split('-')[0]}`)) rmSync(join(places.runs, name), { recursive: true, force: true });
  }
}

/** Kills every process of a run; those of other runs and Windows' services live on. */
function killRun(/** @type {string} */ run, /** @type {number | undefined} */ leader) {
  const mark = `${runVariable}=${run}`;
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  for (const pid of pids) {
    if (pid === process.pid) continue;
    try {
      const program = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[0] ?? '';
      const mine = pid === leader || readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
      if (mine && !services.test(program.split(' ')[0] ?? '')) process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile, or it is another user's.
    }
  }
}

/** What launch.exe found; undefined if it could not write, because it was killed or Wine failed. */
function reported(/** @type {string} */ report, /** @type {string} */ program) {
  if (!existsSync(report)) return undefined;
  const [what, number] = readFileSync(report, 'utf8').trim().split(' ');
  if (what === 'not-started') throw new Error(`${program} could not be started: Windows error ${Number(number)}`);
  return Number(number);
}

const usage = `Runs a program on the sandbox's Windows.
  npm run windows -- node script.js arguments…
  npm run windows -- node20|node22|node24 script.js arguments…
  npm run windows -- path/to/program.exe arguments…
NODE_DIRECTML_D3D_DLLS=folder takes the Direct3D DLLs of that folder in place of Wine's.`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined || command === '--help') {
    console.log(usage);
    process.exitCode = command === undefined ? 2 : 0;
  } else {
    try {
      const code = await runInWindows(command, args);
      // Linux keeps 8 bits; a crash must not look like success.
      if (code > 255) console.error(`${command} ended with exit code 0x${code.toString(16).toUpperCase()} (${code})`);
      process.exitCode = code > 255 ? code & 255 || 1 : code;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  }
}
