/** `node-directml doctor`: whether DirectML works here, where it was found, and what to do if it does not. */
import type { Command } from '../command.js';
import { gather } from '../doctor/gather.js';
import { conclusion, judge, type Section, type Verdict } from '../doctor/judge.js';
import { writeReport } from '../doctor/report.js';
import { hanging } from '../layout.js';
import { reportOption } from '../report-file.js';
import { styled, type Style, type Terminal } from '../terminal.js';

const marks: Readonly<Record<Verdict, readonly [string, Style]>> = {
  ok: ['ok   ', 'green'],
  note: ['note ', 'yellow'],
  wrong: ['WRONG', 'red'],
};

/** In characters. */
const reportWidth = 100;

export const doctor: Command = {
  name: 'doctor',
  summary: 'Checks whether DirectML works on this machine, and says what to do if it does not',
  usage: '',
  maxPositionals: 0,
  options: {
    report: reportOption('also measure each adapter and run conformance cases on it, for some minutes, and write all of it'),
  },
  help: [
    'It shows the versions of Node.js and Windows, where the addon and each DLL were found, and the adapters. On each adapter ' +
      'it computes operators, in a process of its own, and compares them with the reference backend.',
    'The file of --report has no names of people, machines or folders. It is JSON in lines: read it before you send it.',
    'On Linux and macOS it checks the reference backend. That DirectML is not there is a note, and the exit code is 0.',
  ],
  async run(given, terminal) {
    const diagnosis = await gather((text) => terminal.progress(`Trying ${text} ...`));
    terminal.progress(null);
    const sections = judge(diagnosis);
    const problems = sections.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'wrong');
    const title = `node-directml ${diagnosis.package}`;
    const end = conclusion(sections, diagnosis.platform === 'win32');
    if (given.has('json')) terminal.out(jsonText({ ok: problems.length === 0, ...diagnosis, findings: sections }));
    else print(terminal, title, sections, end);
    const file = given.valueOf('report');
    if (file !== undefined) {
      const lines: string[] = [];
      print({ ...terminal, width: reportWidth, hasColors: false, out: (text) => lines.push(text) }, title, sections, end);
      const request = { file, findings: lines.join('\n').split('\n'), adapters: diagnosis.adapters };
      await writeReport(request, (text) => terminal.progress(`Trying ${text} ...`));
      terminal.progress(null);
      if (!given.has('json')) terminal.out(`\nThe report is in ${file}.`);
    }
    return problems.length === 0 ? 0 : 1;
  },
};

/** Without the numbers that were computed. */
function jsonText(value: object): string {
  return JSON.stringify(value, (name, inner: unknown) => (name === 'values' ? undefined : inner), 2);
}

function print(terminal: Terminal, title: string, sections: readonly Section[], end: string): void {
  terminal.out(styled(terminal, 'bold', title));
  for (const section of sections) {
    terminal.out(`\n${styled(terminal, 'bold', section.title)}`);
    for (const { verdict, text, path, remedy } of section.findings) {
      const [mark, style] = marks[verdict];
      const line = hanging(`  ${styled(terminal, style, mark)}  `, text, terminal.width);
      // A path stays in one piece, so that it can be copied.
      terminal.out(path === undefined ? line : `${line}: ${path}`);
      if (remedy !== undefined) terminal.out(hanging('         -> ', remedy, terminal.width));
    }
  }
  terminal.out(`\n${end}`);
}
