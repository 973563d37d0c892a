// The rules of `npm run lint` for imports, including imports of types: no circles, and in lib/ and checks/ nothing from a higher
// room. docs/architecture.md and docs/testing.md draw the order of the rooms. scripts/lint-includes.mjs has the rule for native/.

/** The rooms of lib/, the lowest first. A room may import itself and lower rooms, but no room beside it: so no circle has two. */
const order = [
  ['values/'],
  ['tensors/'],
  ['descriptors/'],
  ['compute/'],
  ['operators/'],
  ['graph/'],
  ['backends/[^/]+[.]ts'],
  ['backends/directml/', 'backends/reference/'],
  ['api/'],
  ['index[.]m?ts'],
  ['files/', 'functions/', 'webnn/'],
  ['array/', 'gradients/'],
  ['nn/'],
  ['onnx/'],
  ['onnxruntime/'],
  ['cli/'],
].map((floor) => floor.map((folder) => `^lib/${folder}`));

/** The rooms of checks/, likewise. */
const orderOfChecks = [
  ['harness/'],
  ['cases/', 'interop/', 'malformed/'],
  ['tolerance/'],
  ['networks/'],
  ['operators/'],
  ['arrays/', 'conformance/', 'descriptors/', 'gradients/', 'mutants/', 'onnx/', 'wpt/'],
  ['graphs/', 'verdicts/', 'webnn/'],
  ['parity/'],
  ['fuzz/'],
  ['tools/', 'run-tool[.]mjs'],
].map((floor) => floor.map((folder) => `^checks/${folder}`));

const upward = [order, orderOfChecks].flatMap((floors) =>
  floors.flatMap((floor, i) =>
    floor.flatMap((folder) => {
      const others = [...floor.filter((other) => other !== folder), ...floors.slice(i + 1).flat()];
      // An empty list would match every file.
      return others.length === 0 ? [] : [rule(`upward from ${folder.slice(1)}`, { path: folder }, { path: others })];
    }),
  ),
);

/** What only the generators read. */
const facts = '^lib/operators/([^/]+/facts|enums|index|meanings|read)[.]ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    // lib/index.ts exports itself as its default.
    rule('circle', {}, { circular: true, pathNot: '^lib/index[.]ts$' }),
    ...upward,
    rule(
      'from one family of operators to another',
      { path: '^lib/operators/(?!generated/)([^/]+)/' },
      { path: '^lib/operators/(?!$1/)' },
    ),
    rule('facts in the package', { path: '^lib/', pathNot: facts }, { path: facts }),
    rule('upward from api/memory/', { path: '/api/memory/' }, { path: '/api/(operators|graphs|recording)/' }),
    rule('upward from api/operators/', { path: '/api/operators/' }, { path: '/api/(graphs|recording)/' }),
    rule('out of lib/', { path: '^lib/' }, { path: '^(bench|checks|docs|examples|sandbox|scripts|test)/' }),
    rule('from checks/ to tests', { path: '^checks/' }, { path: '^test/' }),
    rule('from one folder of test/ to another', { path: '^test/([^/]+)/' }, { path: '^test/(?!support/|$1/)' }),
    rule('a file that has no place in the order', {}, { path: '^(lib|checks)/', pathNot: [order, orderOfChecks].flat(2) }),
  ],
  options: {
    tsPreCompilationDeps: true,
    // The types in the comments of .mjs files.
    parser: 'tsc',
    detectJSDocImports: true,
    exclude: { path: ['(^|/)node_modules/', '^(build|dist|docs/[.]vitepress/[.]temp)/'] },
  },
};

/**
 * @template From, To
 * @param {string} name
 * @param {From} from
 * @param {To} to
 */
function rule(name, from, to) {
  return { name, severity: /** @type {const} */ ('error'), from, to };
}
