// The rules of `npm run lint` for imports, including imports of types: no circles, and in lib/ nothing from a higher folder.
// docs/architecture.md draws the order of the folders. scripts/lint-includes.mjs has the rule for native/.

/** The folders of lib/, the lowest first. A folder may import itself and lower folders, but no folder beside it. */
const order = [
  ['schema/'],
  ['data-types/'],
  ['(define|errors|given|near-names|printed|current-file|node-module|uncloneable)[.]m?ts'],
  ['validation/'],
  ['graph/'],
  ['backends/[^/]+[.]ts'],
  ['backends/directml/', 'backends/reference/'],
  ['api/'],
  ['index[.]m?ts'],
  ['files/', 'operators/', 'webnn/'],
  ['onnx/'],
  ['onnxruntime/'],
  ['cli/'],
].map((floor) => floor.map((folder) => `^lib/${folder}`));

const upward = order.flatMap((floor, i) =>
  floor.flatMap((folder) => {
    const others = [...floor.filter((other) => other !== folder), ...order.slice(i + 1).flat()];
    // An empty list would match every file.
    return others.length === 0 ? [] : [rule(`upward from ${folder.slice(1)}`, { path: folder }, { path: others })];
  }),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    // lib/index.ts exports itself as its default.
    rule('circle', {}, { circular: true, pathNot: '^lib/index[.]ts$' }),
    ...upward,
    rule('upward from compute/', { path: '/reference/compute/' }, { path: '/reference/(thread-pool|kernels|worker)/' }),
    rule('upward from api/memory/', { path: '/api/memory/' }, { path: '/api/(operators|graphs|recording)/' }),
    rule('upward from api/operators/', { path: '/api/operators/' }, { path: '/api/(graphs|recording)/' }),
    rule('out of lib/', { path: '^lib/' }, { path: '^(bench|docs|examples|sandbox|scripts|test)/' }),
    rule('a file of lib/ that has no place in the order', {}, { path: '^lib/', pathNot: order.flat() }),
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
