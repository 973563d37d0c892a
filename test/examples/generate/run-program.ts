/** Runs the example's command line, or another program, in a process of its own. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { program } from './example.js';

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A program's own `process` gets the signal: on Windows, no process can send one to another without ending it. */
const interruptible = "process.on('message', () => process.emit('SIGINT')); process.channel.unref();";
const flags = ['--import', `data:text/javascript,${encodeURIComponent(interruptible)}`];

/** In milliseconds. A program that takes longer hangs, and what it has printed tells where. */
const limit = 300_000;

interface RunOptions {
  /** Default: the command line of the example. */
  readonly file?: URL;
  /** Called with all that the program has printed so far, and a function that interrupts it as Ctrl-C does. */
  readonly onOutput?: (output: string, interrupt: () => void) => void;
}

export function runProgram(args: readonly string[], { file = program, onOutput }: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, fileURLToPath(file), ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let [output, errors] = ['', ''];
    const interrupt = () => void child.send('interrupt');
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.(output, interrupt);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const hung = setTimeout(() => {
      child.kill();
      reject(new Error(`${args.join(' ')} did not end within ${limit / 1000} s, and printed:\n${output}\n${errors}`));
    }, limit);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(hung);
      resolve({ code, output, errors });
    });
  });
}
