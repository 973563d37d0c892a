// Writes generated/enums.ts: each enum as a union of strings, with its members' DirectML values and feature levels.
import { banner } from './banner.mjs';

/** @returns {string} */
export function enumsFile(/** @type {import('./facts.mjs').Facts} */ { enums }) {
  const blocks = enums.map((e) => {
    const union = e.members.map(({ name }) => `  | '${name}'`).join('\n');
    const docs = valueLines(e.name, e.members).map((line) => ` * ${line}\n`);
    return `/**\n * ${e.nativeName}\n *\n${docs.join('')} */\nexport type ${e.name} =\n${union};\n`;
  });
  const rows = enums.map((e) => {
    const values = e.members.map(({ name, value }) => `      ${key(name)}: ${value},\n`).join('');
    const late = e.name === 'FeatureLevel' ? [] : e.members.filter(({ since }) => since !== '1.0');
    const since = late.map(({ name, since: level }) => ` ${key(name)}: '${level}'`).join(',');
    const others = e.members
      .filter(({ otherNames }) => otherNames.length > 0)
      .map(({ name, otherNames }) => `      ${key(name)}: [${otherNames.map((other) => `'${other}'`).join(', ')}],\n`);
    const called = others.length === 0 ? '' : `    otherNames: {\n${others.join('')}    },\n`;
    return `  ${e.name}: {\n    values: {\n${values}    },\n    since: {${since === '' ? '' : `${since} `}},\n${called}  },\n`;
  });
  const type = enums.map((e) => `  readonly ${e.name}: EnumSchema<${e.name}>;\n`).join('');
  return `${banner}
import { withoutPrototypes } from '../../values/without-prototypes.js';

${blocks.join('\n')}
export interface EnumSchema<Member extends string = string> {
  /** The number of each member in DirectML. */
  readonly values: Readonly<Record<Member, number>>;
  /** The feature level of each member that a later feature level added. */
  readonly since: Readonly<Partial<Record<Member, FeatureLevel>>>;
  /** Names that members have elsewhere, such as in ONNX. */
  readonly otherNames?: Readonly<Partial<Record<Member, readonly string[]>>>;
}

export interface Enums {
${type}}

export const enums: Enums = withoutPrototypes({
${rows.join('')}});
`;
}

/** Returns the members of an enum that a field accepts. */
export function membersOf(
  /** @type {import('./facts.mjs').Field} */ { enumName, taken },
  /** @type {readonly import('./facts.mjs').Enum[]} */ enums,
) {
  const members = enums.find(({ name }) => name === enumName)?.members ?? [];
  return taken === undefined ? members : members.filter(({ name }) => taken.includes(name));
}

/** Returns the meanings of an enum's members as a Markdown list, with feature levels that are higher than `since`. */
export function valueLines(
  /** @type {string} */ enumName,
  /** @type {readonly import('./facts.mjs').Member[]} */ members,
  since = '1.0',
) {
  return members.map((member) => {
    const isLater = enumName !== 'FeatureLevel' && Number(member.since) > Number(since);
    return `- \`'${member.name}'\`${isLater ? ` (feature level ${member.since})` : ''}: ${member.meaning}`;
  });
}

function key(/** @type {string} */ name) {
  return /^[a-z]\w*$/i.test(name) ? name : `'${name}'`;
}
