import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from 'vitest/node';
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

/** The tests that mirror the mutated file, then the shortest: the first that fails ends the run of a mutant. */
class LikeliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const mutated = (this.ctx.config.related ?? []).map((file) => path.basename(file, '.ts'));
    const rank = (file: TestSpecification) =>
      mutated.includes(path.basename(file.moduleId, '.test.ts')) ? -1 : this.#readDuration(file);
    return [...files].sort((one, other) => rank(one) - rank(other));
  }

  #readDuration({ moduleId, project }: TestSpecification): number {
    const key = `${project.name}:${path.relative(this.ctx.config.root, moduleId)}`;
    return this.ctx.cache.getFileTestResults(key)?.duration ?? 0;
  }
}

const testTimeout = Number(process.env.PETSTORE_MUTATION_TEST_TIMEOUT ?? 15_000);

/** How Stryker runs the tests: those of one area, in their written order, all files of a run in one thread. */
export default defineConfig({
  // In a place of its own: what is bundled has mutants in it.
  plugins: [bundleWriterWorker('mutation/.work/writer-worker.cjs')],
  test: {
    include: (process.env.PETSTORE_MUTATION_TESTS ?? 'test/contract/**').split(','),
    env: { TZ: 'UTC' },
    restoreMocks: true,
    // A thread of its own for each file costs more than most tests; each mutant has a new thread anyway.
    isolate: false,
    sequence: { sequencer: LikeliestFirst },
    // A mutant that makes a test wait forever is noticed sooner than by Stryker's own limit, which grows with the tests.
    testTimeout,
    hookTimeout: testTimeout,
    globalSetup: ['./test/support/postgres-setup.ts'],
    setupFiles: ['./mutation/load-mutated-files.ts', './mutation/activate-in-threads.ts'],
    provide: { serviceDatabase: 'sqlite' },
    reporters: [createLoadReporter()],
  },
});
