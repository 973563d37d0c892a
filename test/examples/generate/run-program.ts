/** Runs the example's command line. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { program } from './example.js';

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A program's own `process` gets the signal: on Windows, no process can send one to another without ending it. */
const interruptible = "process.on('message', () => process.emit('SIGINT')); process.channel.unref();";
const flags = ['--import', `data:text/javascript,${encodeURIComponent(interruptible)}`];

/** `onOutput` is called with all that the program has printed so far, and a function that interrupts it as Ctrl-C does. */
export function runProgram(
  args: readonly string[],
  onOutput: (output: string, interrupt: () => void) => void = () => undefined,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, fileURLToPath(program), ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let [output, errors] = ['', ''];
    const interrupt = () => void child.send('interrupt');
    child.stdout?.setEncoding('utf8').on('data', (text: string) => onOutput((output += text), interrupt));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, errors }));
  });
}
