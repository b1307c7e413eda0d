import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { bundleWriterWorker } from './test/support/bundle-writer-worker.ts';
import { findPostgresObstacle } from './test/support/postgres-cluster.ts';
import { ProjectSequencer } from './test/support/project-sequencer.ts';

/** The service's own tests a second time, on the other database. */
const onPostgres = {
  extends: true,
  test: {
    name: 'on PostgreSQL',
    include: ['test/service/*.test.ts', 'test/service/{http,http/server,keys,routes}/*.test.ts'],
    provide: { serviceDatabase: 'postgres' as const },
  },
} satisfies TestProjectInlineConfiguration;

export default defineConfig({
  plugins: [bundleWriterWorker()],
  test: {
    env: { TZ: 'UTC' },
    restoreMocks: true,
    // A worker of its own for each file costs more than many of them take: no test keeps state in a module.
    isolate: false,
    sequence: { shuffle: true, sequencer: ProjectSequencer },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Of a condition that is waited for: a promise of time says its own. The first to ask for PostgreSQL waits for its start.
    expect: { poll: { timeout: 10_000 } },
    // More than there are cores: many files wait for a while, for time limits, disks and programs they start. Not more
    // than the connections of the one PostgreSQL server suffice for.
    maxWorkers: Math.min(Math.ceil(availableParallelism() * 1.5), 12),
    globalSetup: ['./test/support/postgres-setup.ts', './test/support/shared-cache-setup.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['test/**/*.test.ts'],
          exclude: [
            // About the standalone program, which `npm run test:binary` builds.
            ...(process.env.PETSTORE_TEST_BINARY ? [] : ['test/e2e/standalone.test.ts']),
            // About petstore on Windows, which `npm run test:windows` starts.
            ...(process.env.PETSTORE_TEST_WINDOWS ? [] : ['test/e2e/windows.test.ts']),
          ],
          provide: { serviceDatabase: 'sqlite' },
        },
      },
      ...(findPostgresObstacle() === undefined ? [onPostgres] : []),
    ],
    reporters: ['default', './test/support/count-reporter.ts'],
  },
});
