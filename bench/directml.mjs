// @ts-check
// Compares JavaScript with the C++ program of bench/native, both on the real DirectML. Windows' node.exe runs it:
//   node bench/directml.mjs REPORT ROUNDS SECONDS GROUP [TEXT]
// It writes the results to the file REPORT as JSON. GROUP is all, wide or narrow, and TEXT selects rows by their names.
import { createDevice } from 'node-directml';
import { startProgram } from './cpp-program.mjs';
import { hashOf } from './data.mjs';
import { writeReport } from './report-file.mjs';
import { roundsOfPart, takePart, timed, warmUps } from './rounds.mjs';
import { rowsOf } from './rows.mjs';
import { wantsMore } from './verdict.mjs';

/**
 * Measures the plans until their verdicts are clear, with a new device and a new C++ program for each part: times of the same work
 * differ from process to process.
 * @returns {Promise<import('./verdict.mjs').Comparison[]>}
 */
async function compareWithCpp(
  /** @type {readonly import('./rows.mjs').Plan[]} */ chosen,
  /** @type {import('./rounds.mjs').Effort} */ { rounds, seconds },
) {
  const rows = chosen.map((plan) => {
    const { name, bytes, limit } = plan;
    /** @type {import('./verdict.mjs').Comparison} */
    const row = { name, ours: 'JS', theirs: 'C++', bytes, limit, equal: true, parts: [], seconds: 0 };
    return { plan, row };
  });
  for (let part = 1; ; part++) {
    const wanted = rows.filter(({ row }) => wantsMore(row, seconds));
    if (wanted.length === 0) return rows.map(({ row }) => row);
    const device = await createDevice({ backend: 'directml' });
    const cpp = await startProgram(device.info);
    for (const { plan, row } of wanted) {
      row.seconds += (await timed(() => addPart(row, plan, device, cpp, rounds))) / 1000;
      console.error(`measured, part ${part}: ${row.name}`);
    }
    await cpp.end();
    device.dispose();
  }
}

/** Adds a part to the row. The C++ program measures its own times. */
async function addPart(
  /** @type {import('./verdict.mjs').Comparison} */ row,
  /** @type {import('./rows.mjs').Plan} */ { command, share, prepare },
  /** @type {import('node-directml').Device} */ device,
  /** @type {Awaited<ReturnType<typeof startProgram>>} */ cpp,
  /** @type {number} */ rounds,
) {
  const work = await prepare(device);
  const take = (/** @type {number} */ count) =>
    takePart(
      count,
      () => timed(work.run),
      () => cpp.time(command),
    );
  await take(warmUps);
  row.parts.push(await take(roundsOfPart(rounds, share)));
  row.equal &&= work.result === null || hashOf(await work.result()) === (await cpp.ask(`check ${command}`));
}

/** Measures the given rows, and writes the report. */
async function main(
  /** @type {string} */ report,
  /** @type {import('./rounds.mjs').Effort} */ effort,
  /** @type {ReturnType<typeof rowsOf>} */ { plans, contests, measurements },
) {
  /** @type {(import('./verdict.mjs').Comparison | import('./verdict.mjs').Measurement)[]} */
  const measured = plans.length > 0 ? await compareWithCpp(plans, effort) : [];
  const add = (/** @type {typeof measured[number]} */ one) => {
    measured.push(one);
    console.error(`measured: ${one.name}`);
  };
  const device = await createDevice({ backend: 'directml' });
  for (const { name, compare } of contests) add({ name, ...(await compare(device, effort)) });
  device.dispose();
  for (const { name, measure } of measurements) add({ name, ...(await measure(effort)) });
  await writeReport(report, device.info, measured);
}

const [report, rounds, seconds, group, only = ''] = process.argv.slice(2);
if (report === undefined || (group !== 'all' && group !== 'wide' && group !== 'narrow')) {
  throw new Error('usage: node bench/directml.mjs REPORT ROUNDS SECONDS all|wide|narrow [TEXT]');
}
await main(report, { rounds: Number(rounds), seconds: Number(seconds) }, rowsOf(group, only));
