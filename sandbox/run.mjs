// @ts-check
// Runs a program on the sandbox's Windows: `npm run windows -- node script.js arguments…`. Paths are the same inside and
// outside (Wine's Z: drive is /). The checkout's node_modules is replaced by the one for Windows.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkout, paths, sandboxFolder } from './paths.mjs';
import { ensureSandbox, installInRoot, runInRoot, wineEnvironment } from './setup.mjs';
import { vulkanEnvironment } from './vulkan.mjs';

export { ensureSandbox, installInRoot, runInRoot };

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to the variables that are passed on from the caller
 * @property {(text: string, stream: 'stdout' | 'stderr') => void} [onOutput]
 *   receives the output as it arrives; without it, the output goes to the caller's stdout and stderr
 * @property {number} [timeout] in milliseconds; after it all processes of the run are killed and the promise rejects
 * @property {AbortSignal} [signal] kills all processes of the run; the promise rejects
 */

/** The variables of the caller's environment that Windows programs get. The others describe Linux and would mislead them. */
const passedOn = /^(NODE_DIRECTML_|VITEST|VKD3D_|LP_|WINEDEBUG$|CI$|GITHUB_ACTIONS$|FORCE_COLOR$|NO_COLOR$|DEBUG$|TZ$)/;
/** The environment variable that names the run in all its processes, so that they can be found and killed. */
const runVariable = 'NODE_DIRECTML_SANDBOX_RUN';
/** Windows' own services. Any run may start them, and all runs share them. */
const services = /(services|explorer|winedevice|plugplay|svchost|rpcss|conhost)\.exe$/i;
const pollInterval = 15;
/** The unfinished runs of this process: the run's folder, and the id of its first process. */
const running = /** @type {Map<string, number | undefined>} */ (new Map());
let watchingOwnEnd = false;

/**
 * Runs a Windows program to its end.
 * @param {string} command `node` (this Node.js's major version if the sandbox has it, else 22), `node20`, `node22`,
 *   `node24`, or the path of a program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} the whole 32-bit exit code
 */
export async function runInWindows(command, args, options = {}) {
  const sandbox = await ensureSandbox();
  const cwd = resolve(options.cwd ?? process.cwd());
  const program = programPath(command, sandbox.node, cwd);
  mkdirSync(paths.runs, { recursive: true });
  mkdirSync(paths.runtime, { recursive: true, mode: 0o700 });
  forgetDeadRuns();
  const folder = mkdtempSync(join(paths.runs, `${process.pid}-`));
  const report = join(folder, 'exit-code');

  // Windows' node.exe cannot write to a Linux pipe. So its output goes to files, which are read as they grow.
  const outputs = /** @type {const} */ (['stdout', 'stderr']).map((stream) => follower(join(folder, stream), stream, options));
  const child = spawn(
    'sh',
    [
      join(sandboxFolder, 'session.sh'),
      sandbox.session,
      sandbox.root,
      checkout,
      sandbox.modules,
      sandbox.external,
      cwd,
      'wine',
      sandbox.launcher,
      windowsPath(report),
      windowsPath(program),
      ...args,
    ],
    {
      // A process group of its own: Ctrl-C reaches only this process, which then ends the run.
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

/** Converts a Linux path to the path that Windows programs use. */
function windowsPath(/** @type {string} */ path) {
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
  const base = wineEnvironment(sandbox.prefix, paths.runtime);
  return {
    ...base,
    ...vulkanEnvironment(sandbox.root),
    WINEDLLOVERRIDES: `${sandbox.native.join(',')}=n,b;${base.WINEDLLOVERRIDES}`,
    // The file in which the bridge records each use of a shader that it replaces.
    NODE_DIRECTML_BRIDGE_LOG: windowsPath(join(run, 'replaced-shaders')),
    // The program writes to files. Only this process can tell whether they are shown on a terminal.
    ...(process.stdout.isTTY ? { NODE_DIRECTML_TERMINAL: '1' } : {}),
    ...Object.fromEntries(passed),
    ...options.env,
    [runVariable]: run,
  };
}

/** Passes on the text that is appended to a file. */
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

/** Ends the runs of this process when it ends itself, also by a signal. */
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
      // Between runs a signal has its default effect.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
}

/** Deletes the folders of runs whose process was killed before it could delete them. */
function forgetDeadRuns() {
  for (const name of readdirSync(paths.runs)) {
    if (!existsSync(`/proc/${name.split('-')[0]}`)) rmSync(join(paths.runs, name), { recursive: true, force: true });
  }
}

/** Kills every process of a run, but not Windows' services. */
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
      // The process has ended meanwhile, or it belongs to another user.
    }
  }
}

/** The exit code that launch.exe has written; undefined if it wrote none, because it was killed or Wine failed. */
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
NODE_DIRECTML_D3D_DLLS=folder takes the Direct3D DLLs of that folder in place of Wine's.
NODE_DIRECTML_VULKAN=host takes this machine's own Vulkan driver: DirectML then runs on its GPU.`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined || command === '--help') {
    console.log(usage);
    process.exitCode = command === undefined ? 2 : 0;
  } else {
    try {
      const code = await runInWindows(command, args);
      // Linux keeps 8 bits of an exit code. A Windows crash must not become 0.
      if (code > 255) console.error(`${command} ended with exit code 0x${code.toString(16).toUpperCase()} (${code})`);
      process.exitCode = code > 255 ? code & 255 || 1 : code;
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    }
  }
}
