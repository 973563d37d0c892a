// Which of an operator's versions to take: the sentence under the summary of its page. Names of versions differ in a last digit.

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */

/** The name without the digit of a version. */
export function stemOf(/** @type {string} */ name) {
  return name.replace(/\d$/, '');
}

/** All versions of an operator, oldest first, as DirectML's order has them. */
export function versionsOf(/** @type {Operator} */ operator, /** @type {readonly Operator[]} */ operators) {
  return operators.filter(({ name }) => stemOf(name) === stemOf(operator.name));
}

/** One sentence; '' for an operator with only one version. */
export function whichVersion(/** @type {Operator} */ operator, /** @type {readonly Operator[]} */ operators) {
  const versions = versionsOf(operator, operators);
  if (versions.length === 1) return '';
  const own = versions.indexOf(operator);
  const newer = versions.slice(own + 1);
  return newer.length === 0 ? aboutNewest(operator, versions.slice(0, own)) : aboutOlder(operator, newer);
}

function aboutOlder(/** @type {Operator} */ operator, /** @type {readonly Operator[]} */ newer) {
  const newest = newer.at(-1) ?? operator;
  const gains = newer.map((version, i) => {
    const where = version === newest ? '' : ` (from ${link(version)} on, level ${version.since})`;
    return `${gainOf(version, newer[i - 1] ?? operator)}${where}`;
  });
  if (takesLess(newest, operator)) return `Take ${link(newest)} only for ${listed(gains)}: it takes fewer data types.`;
  const fused = losesFusion(newest, operator) ? ' or fuse the operator into another one' : '';
  return `Take ${link(newest)} unless you need a feature level below ${newest.since}${fused}: it adds ${listed(gains)}.`;
}

function aboutNewest(/** @type {Operator} */ operator, /** @type {readonly Operator[]} */ older) {
  const before = older.at(-1) ?? operator;
  const gain = gainOf(operator, before);
  if (takesLess(operator, before)) return `Take ${link(before)} unless you need ${gain}: it takes more data types.`;
  const fused = losesFusion(operator, before) ? ' and to be fused into another operator' : '';
  return (
    `The newest version of ${stemOf(operator.name)}, since feature level ${operator.since}: it adds ${gain}; ` +
    `${listed(older.map(link))} ${older.length === 1 ? 'remains' : 'remain'} for older levels${fused}.`
  );
}

/** What a version can do that the one before it cannot: what its facts say, or else the fields that it adds. */
function gainOf(/** @type {Operator} */ version, /** @type {Operator} */ before) {
  if (version.adds !== undefined) return version.adds;
  const added = fieldsMissingIn(before, version);
  const removed = fieldsMissingIn(version, before);
  const exact = version.fields.filter(({ name, kind }) => kind === 'scalar' && kindIn(before, name) === 'float');
  const instead = exact.length === 1 ? 'a float' : 'floats';
  const dimensions = dimensionsOf(version);
  const parts = [
    `${listed(added.map(code))}${removed.length === 0 ? '' : ` in place of ${listed(removed.map(code))}`}`,
    exact.length === 0
      ? ''
      : `with ${listed(exact.map(({ name }) => code(name)))} of the tensor's data type instead of ${instead}`,
    dimensions === dimensionsOf(before) ? '' : `for ${dimensions} dimensions`,
  ];
  const text = parts.filter((part) => part !== '').join(', ');
  if (text === '') throw new Error(`${version.name}: its facts need "adds", because no field tells it from ${before.name}`);
  return text;
}

/** Names of fields that a version has and another lacks. Counts follow from their arrays. */
function fieldsMissingIn(/** @type {Operator} */ other, /** @type {Operator} */ { fields }) {
  return fields.filter(({ name, counts }) => counts === undefined && kindIn(other, name) === undefined).map(({ name }) => name);
}

/** Of its first tensor, at the highest feature level. */
function dimensionsOf(/** @type {Operator} */ { fields }) {
  const { min, max } = fields.find(({ support }) => support !== undefined)?.support?.[0] ?? { min: 0, max: 0 };
  return min === max ? `${min}` : `${min} to ${max}`;
}

function kindIn(/** @type {Operator} */ { fields }, /** @type {string} */ wanted) {
  return fields.find(({ name }) => name === wanted)?.kind;
}

/** True if a tensor has fewer data types in a version than in another one, each at the highest feature level. */
function takesLess(/** @type {Operator} */ version, /** @type {Operator} */ other) {
  return other.fields.some(({ name, support }) => {
    const own = version.fields.find((field) => field.name === name)?.support?.[0]?.taken;
    return own !== undefined && support?.[0]?.taken.some((type) => !own.includes(type));
  });
}

function losesFusion(/** @type {Operator} */ version, /** @type {Operator} */ before) {
  return before.fusion !== undefined && version.fusion === undefined;
}

function link(/** @type {Operator} */ { name }) {
  return `[${name}](${name}.md)`;
}

function code(/** @type {string} */ name) {
  return `\`${name}\``;
}

/** `a, b and c`, or with a comma before the last one if another `and` is among them. */
function listed(/** @type {readonly string[]} */ parts) {
  const last = parts.at(-1) ?? '';
  if (parts.length < 2) return last;
  return `${parts.slice(0, -1).join(', ')}${parts.some((part) => part.includes(' and ')) ? ',' : ''} and ${last}`;
}
