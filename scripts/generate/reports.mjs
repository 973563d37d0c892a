// Writes the tables of docs/checked.md: the machines whose reports are in docs/reports/, as the option `--report` of the command
// line wrote them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const place = /(?<=<!-- reports: made by npm run generate -->\n)[^]*(?=<!-- end of reports -->)/;

/**
 * @typedef {object} Adapter
 * @property {string} adapter
 * @property {string | null} [driverVersion]
 * @property {string} [system]
 * @property {string | null} [directmlVersion]
 * @property {string} [package]
 * @property {{ cases: number, mismatches: number, unsupported: number }} [conformance]
 * @property {{ rows: readonly Model[], onnxruntime: string } | null} [models]
 * @property {readonly string[]} [failures]
 */

/** @typedef {{ name: string, milliseconds: number, onnxruntime: number | null }} Model */

/**
 * Returns the page with the present tables.
 * @param {string} root
 * @param {string} page
 * @returns {string}
 */
export function pageOfReports(root, page) {
  const text = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
  if (!place.test(text)) throw new Error(`${page} has no place for the tables of reports`);
  const folder = join(root, 'docs', 'reports');
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return text.replace(place, () => tablesOf(names.flatMap((name) => adaptersIn(name, readFileSync(join(folder, name), 'utf8')))));
}

/**
 * The adapters of a file. A maintainer may add a `note` to it.
 * @returns {(Adapter & { place: string })[]}
 */
function adaptersIn(/** @type {string} */ name, /** @type {string} */ text) {
  const { report, version, note, adapters } = JSON.parse(text);
  if (report !== 'node-directml' || version !== 1) throw new Error(`docs/reports/${name} is no report of version 1`);
  return adapters.map((/** @type {Adapter} */ one) => {
    return { ...one, place: `[${one.adapter}](reports/${name})${note === undefined ? '' : `, ${note}`}` };
  });
}

function tablesOf(/** @type {readonly (Adapter & { place: string })[]} */ adapters) {
  const cases = table(
    ['adapter', 'driver', 'Windows', 'DirectML', 'node-directml', 'cases', 'mismatches'],
    adapters.map((one) => [
      one.place,
      one.driverVersion ?? 'unknown',
      one.system ?? '',
      one.directmlVersion ?? '',
      one.package ?? '',
      casesOf(one),
      one.conformance === undefined ? '' : `${one.conformance.mismatches}`,
    ]),
  );
  const measured = adapters.filter(({ models }) => (models?.rows.length ?? 0) > 0);
  const [first] = measured;
  if (first === undefined) return `\n${cases}\n`;
  const names = first.models?.rows.map(({ name }) => name) ?? [];
  const times = table(
    ['milliseconds, beside onnxruntime-node', ...names],
    measured.map(({ place, models }) => [place, ...names.map((name) => timesOf(models?.rows.find((row) => row.name === name)))]),
  );
  return `\n${cases}\n${times}\n`;
}

/** What failed is as important as what was equal. */
function casesOf(/** @type {Adapter} */ { conformance, failures = [] }) {
  const parts = conformance === undefined ? [] : [conformance.cases.toLocaleString('en')];
  if (conformance !== undefined && conformance.unsupported > 0) parts.push(`${conformance.unsupported} of them do not run there`);
  return [...parts, ...failures.map((failure) => failure.split('. It had printed')[0])].join('; ');
}

function timesOf(/** @type {Model | undefined} */ model) {
  if (model === undefined) return '';
  const text = (/** @type {number} */ milliseconds) => milliseconds.toPrecision(3);
  return model.onnxruntime === null ? text(model.milliseconds) : `${text(model.milliseconds)}, ${text(model.onnxruntime)}`;
}

function table(/** @type {string[]} */ head, /** @type {(string | undefined)[][]} */ rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  return lines.join('');
}
