/**
 * Two projects over the same files: `portable` is what any machine can run, on the reference backend; `windows` is
 * everything, and needs Windows or the sandbox. A test that cannot run somewhere is not in that project, so that
 * nothing has to be skipped. Names ending in `.windows.test.ts` need Windows wherever they are.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Threads start faster than processes, and a native addon has to stand them anyway.
    pool: 'threads',
    maxWorkers: 2,
    // The built package is loaded by Node.js itself; a second copy made by vitest would not know the first one's objects.
    server: { deps: { external: [/[\\/]dist[\\/]/] } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'portable',
          include: ['test/{unit,reference,types,verdicts}/**/*.test.ts'],
          exclude: ['**/*.windows.test.ts'],
          typecheck: { enabled: true, include: ['test/types/**/*.test-d.ts'], tsconfig: 'test/tsconfig.json' },
        },
      },
      {
        extends: true,
        test: { name: 'windows', include: ['test/**/*.test.ts'] },
      },
    ],
  },
});
