// Writes docs/operators/README.md: the operators by family, and the rules that apply to all of them.
import { note } from './banner.mjs';
import { searchedAs } from './other-names.mjs';
import { cell, inPlaceSentence } from './page-fields.mjs';

/** @typedef {import('./facts.mjs').Facts} Facts */

/** @returns {string} */
export function indexPage(/** @type {Facts} */ facts) {
  const sections = [...facts.families].map(([family, operators]) => {
    const rows = operators.map(
      (operator) =>
        `| [${operator.name}](${operator.name}.md) | ${operator.since} | ${cell(operator.summary)} | ${cell(searchedAs(operator))} |\n`,
    );
    return `## ${family}\n\n| operator | from level | what it computes | also known as |\n| --- | --- | --- | --- |\n${rows.join('')}`;
  });
  return `${note}# The operators of DirectML

This page lists all ${facts.operators.length} operators by family. Both backends compute each of them. The feature level is the one that
introduced the operator; some data types and dimension counts need a higher one, which the operator's page shows. Of several
[versions](#versions), take the newest that your device's level has. The last column has names from ONNX, WebNN, PyTorch, NumPy
and elsewhere: search this page for the one that you know.

The example of each page is a complete program, and the tests run it. It calls the operator's [function](../functions.md), and
leaves out what the package fills in: outputs that follow, and defaults. Its comments show what it prints, with fractions rounded
to four decimals; \`?\` stands for an element that the operator leaves undefined. If a page gives sizes by name, those in
brackets may be left out.

${sections.join('\n')}
${versions}
${everyTensor}
${dataTypes(facts)}
${outputs}
${inPlace(facts)}
${fusedActivations(facts)}
${featureLevels(facts)}`;
}

const versions = `## Versions

\`topK\` and \`topK1\` are two versions of one operator. **Take the newest version that \`device.featureLevel\` has**; an older one is
only for a device below the newest one's level. Guides, recipes and examples do so too. The newest version can do what the older
ones can, and what it adds has a default, so a call has no more fields. Note that

- [elementWiseAdd1](elementWiseAdd1.md) is the one exception: it takes fewer data types, so take it only for \`fusedActivation\`.
- a fused activation is [elementWiseClip](elementWiseClip.md), because elementWiseClip1 cannot be fused.
- \`'nearestNeighbor'\` of [resample3](resample3.md) needs a \`roundingDirection\`, and its page says which offsets go with it.
- functions of operators with a second, optional output, such as [maxPooling2](maxPooling2.md), return the outputs by field name.
`;

const everyTensor = `## Every tensor

A tensor is described by \`{ dataType, sizes, strides?, flags?, totalTensorSizeInBytes?, guaranteedBaseOffsetAlignment? }\`.

- A tensor has 1 to 8 dimensions; the operator and the feature level limit their number. Each size is at least 1.
- Strides are in elements, one for each dimension. A packed tensor needs none. A stride of 0 broadcasts a dimension of an
  input.
- An output has no stride of 0 in a dimension of more than one element.
- Stricter than DirectML on purpose, \`overlapping-output\`: no two elements of an output are at the same position in memory.
- \`totalTensorSizeInBytes\` is at least the size that sizes and strides need, which is the default. It is less than the size
  of 2³² elements.
- \`guaranteedBaseOffsetAlignment\` is in bytes: 0 (the default) or a power of two that is at least 16.
- \`flags\` say when the tensor is bound, see [below](#flags-of-a-tensor). Only inputs may have \`'ownedByDml'\`.
`;

function dataTypes(/** @type {Facts} */ { enums }) {
  const table = (/** @type {string} */ enumName, /** @type {string} */ heading) => {
    const rows = (enums.find(({ name }) => name === enumName)?.members ?? []).map(
      ({ name, meaning }) => `| \`'${name}'\` | ${meaning} |\n`,
    );
    return `| ${heading} | meaning |\n| --- | --- |\n${rows.join('')}`;
  };
  return `## Data types\n\n${table('DataType', 'data type')}\n## Flags of a tensor\n\n${table('TensorFlags', 'flag')}`;
}

const outputs = `## Outputs

A descriptor may leave out an output, or its data type or sizes, if they follow from the other fields.
\`device.resolve(descriptor)\` returns the complete descriptor without compiling it; \`operator.descriptor\` is complete too.

- A required output that is absent or undefined is filled in: it is packed and has the data type and sizes that the rules
  state.
- If the descriptor gives a part of an output, it is compared with the rules. \`{ dataType }\` chooses a data type, and
  \`{ strides }\` a memory layout.
- An optional output that is absent, undefined or null is not computed; \`{}\` requests it.
- If the other fields do not determine the data type or the sizes, the descriptor must give them. The Rules of the page say so,
  and the error \`ERR_MISSING_FIELD\` names the field and the allowed values.
`;

function inPlace(/** @type {Facts} */ { operators }) {
  const names = operators.filter((operator) => inPlaceSentence(operator) !== null).map(({ name }) => `[${name}](${name}.md)`);
  return `## In place

${names.length} operators can write an output over an input. Their pages name these pairs. A dispatch that binds both to the same
bytes of one buffer gives the same result as with separate buffers, if

- both bindings are exactly the same bytes: they have the same offset, and the tensors have the same size in bytes;
- both tensors have the same element width, sizes and strides. Strides of a packed tensor may be given or left out. The stride
  of a dimension of one element does not count. A broadcast input never has the strides of an output.

Several inputs may share the bytes of an output if each of them is paired with it. Every other overlap is an
\`ERR_ALIASED_BINDING\`: ranges that overlap in part, two outputs on the same bytes, and pairs that Microsoft's pages do not
document. An input that DirectML owns is not bound in a dispatch, so it cannot be overwritten.

${names.join(', ')}
`;
}

function fusedActivations(/** @type {Facts} */ { operators }) {
  const rows = operators
    .filter(({ fusion }) => fusion !== undefined)
    .map(({ name, fusion }) => {
      const into = fusion?.into?.map((host) => `[${host}](${host}.md)`).join(', ') ?? 'every operator with a field for one';
      return `| [${name}](${name}.md) | ${fusion?.since} | ${into} |\n`;
    });
  return `## Activations that can be fused

An operator with a field for an activation applies the activation to its result. The field takes the activation's descriptor
without tensors: \`{ type: 'activationLeakyRelu', alpha: 0.1 }\`.

| activation | from level | into |
| --- | --- | --- |
${rows.join('')}`;
}

function featureLevels(/** @type {Facts} */ { operators, enums }) {
  const levels = enums.find(({ name }) => name === 'FeatureLevel')?.members ?? [];
  const rows = levels.map(({ name: level, meaning }) => {
    const names = operators.filter(({ since }) => since === level).map(({ name }) => `[${name}](${name}.md)`);
    return `| ${level} | ${meaning} ${names.join(', ')} |\n`;
  });
  return `## Feature levels

A device has the operators, data types, dimension counts and values of its feature level and of all lower ones.

| level | what it adds |
| --- | --- |
${rows.join('')}`;
}
