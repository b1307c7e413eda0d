import { defineConfig } from 'vitest/config';
import type { Reporter, Vitest } from 'vitest/node';
import { bundleWriterWorker } from '../test/support/bundle-writer-worker.ts';

/** Stryker looks at tests alone: a mutant by which a test file cannot be loaded would else seem to survive. */
function createLoadReporter(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit: (instance) => {
      vitest = instance;
    },
    onTestRunEnd: (modules) => {
      for (const module of modules)
        for (const error of module.errors()) vitest?.state.catchError(error, 'Unhandled Error');
    },
  };
}

/** How Stryker runs the tests: those of one area, in their written order, each file in a thread. */
export default defineConfig({
  // In a place of its own: what is bundled has mutants in it.
  plugins: [bundleWriterWorker('mutation/.work/writer-worker.cjs')],
  test: {
    include: (process.env.PETSTORE_MUTATION_TESTS ?? 'test/contract/**').split(','),
    env: { TZ: 'UTC' },
    restoreMocks: true,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['./test/support/postgres-setup.ts'],
    setupFiles: ['./mutation/activate-in-threads.ts'],
    provide: { serviceDatabase: 'sqlite' },
    reporters: [createLoadReporter()],
  },
});
