/** Runs Python programs, which compute what cases are compared with. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a program makes of some JSON, with packages of Python that the sandbox installs on first use. */
export function runPython(packages: readonly string[], program: string, json: string): string {
  const folder = join('build', 'python');
  mkdirSync(folder, { recursive: true });
  const own = join(folder, basename(program));
  const [question, answer] = [`${own}.question.json`, `${own}.answer.json`];
  writeFileSync(question, json);
  const args = [join('sandbox', 'python.mjs'), packages.join(), program, question, answer];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ended with exit code ${status}`);
  return readFileSync(answer, 'utf8');
}

/** Writes what a process with another backend reads. Returns the name of the file. */
export function writeAnswers(name: string, json: string): string {
  const file = join('build', 'python', `${name}.answered.json`);
  writeFileSync(file, json);
  return file;
}
