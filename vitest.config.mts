/**
 * Two projects over the same files. `portable` has the tests that run on any system, on the reference backend. `windows` has
 * all tests of the package, and needs Windows or the sandbox. No test has to be skipped, because `portable` leaves out those
 * that need Windows: files with `.windows` in their name. The site and the types are tested in `portable` only: they are the same
 * everywhere. So are the jobs of the recipes, because Windows has no Redis, and the first commands of the README and the list of
 * packed declarations, because the sandbox has neither git nor npm; on Windows, CI runs the first commands.
 */
import { defineConfig } from 'vitest/config';

/** Files that a part of `npm test` leaves out. The variable has words from file names: `long,portable`; see scripts/test.mjs. */
const without = process.env['NODE_DIRECTML_TESTS_WITHOUT']?.split(',').map((word) => `**/*.${word}.*`) ?? [];
/** test/external/ has packages of its own. */
const always = '**/node_modules/**';

export default defineConfig({
  test: {
    // Threads start faster than processes, and the addon must work in them anyway.
    pool: 'threads',
    maxWorkers: 2,
    // Test files on a thread share the modules that they import. Loading them again for each file took a quarter of the time.
    isolate: false,
    // Node.js itself loads the built package. vitest would load a second copy, which rejects objects of the first one.
    server: { deps: { external: [/[\\/]dist[\\/]/] } },
    // Slow tests are not failures. The timeouts only end tests that hang.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'portable',
          include: ['test/**/*.test.ts'],
          exclude: [always, '**/*.windows.*', ...without],
          typecheck: {
            enabled: true,
            checker: 'node_modules/typescript-7/bin/tsc',
            include: ['test/types/**/*.test-d.ts'],
            tsconfig: 'test/tsconfig.json',
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'windows',
          include: ['test/**/*.test.ts'],
          exclude: [
            always,
            '**/site/**',
            '**/types/**',
            '**/recipes/jobs.*',
            '**/docs/first-screen.*',
            '**/packaging/declarations.*',
            ...without,
          ],
          setupFiles: ['test/support/leave-nothing.ts'],
        },
      },
    ],
  },
});
