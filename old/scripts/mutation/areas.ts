/** A part of the source, and the tests that should notice a mistake in it. */
export interface Area {
  readonly source: string;
  /** Folders and files; of these Stryker runs the ones that reach the mutated file by their imports. */
  readonly tests: readonly string[];
  /** The share of its mutants that the tests must notice, in percent. */
  readonly goal: number;
  /** Whether its code runs in a thread of its own, where Stryker cannot see which test reaches which line. */
  readonly runsInThread?: boolean;
  /** How long a test, and what cleans up after it, may take, in milliseconds, where many mutants make it wait forever. */
  readonly testTimeout?: number;
}

/** What is seen of the SQLite writer from outside its thread. */
const writerTests = [
  'test/service/storage/sqlite/store.test.ts',
  'test/service/storage/sqlite/files.test.ts',
  'test/service/storage/sqlite/read-only.test.ts',
  'test/service/storage/sqlite/connection/',
  'test/service/storage/sqlite/writer/',
];

/** What `npm run test:mutation` goes through; a file belongs to the first area whose source it begins with. */
export const areas: readonly Area[] = [
  {
    source: 'src/contract/',
    tests: ['test/contract/', 'test/docs/schema.test.ts'],
    goal: 85,
  },
  {
    source: 'src/config/completion/',
    tests: ['test/config/completion/', 'test/commands/completion/'],
    goal: 85,
  },
  {
    source: 'src/config/keys/',
    tests: [
      'test/config/keys/',
      'test/commands/auth/key-access.test.ts',
      'test/commands/auth/key-in-use.test.ts',
      'test/commands/auth/login.test.ts',
      'test/commands/auth/logout.test.ts',
      'test/commands/auth/status.test.ts',
      'test/commands/auth/token.test.ts',
    ],
    goal: 85,
  },
  { source: 'src/config/files/', tests: ['test/config/files/'], goal: 85 },
  {
    source: 'src/config/environments/',
    tests: ['test/config/environments/', 'test/commands/env/'],
    goal: 85,
  },
  {
    source: 'src/config/',
    tests: [
      'test/config/settings/',
      'test/config/variables.test.ts',
      'test/config/variable-values.test.ts',
      'test/commands/env/',
    ],
    goal: 85,
  },
  { source: 'src/history/', tests: ['test/history/', 'test/commands/history/'], goal: 85 },
  { source: 'src/client/', tests: ['test/client/'], goal: 85 },
  { source: 'src/import/read/', tests: ['test/import/read/'], goal: 85 },
  {
    source: 'src/import/staging/',
    tests: [
      'test/import/staging/',
      'test/commands/import/rejects.test.ts',
      'test/commands/import/plan/stage-input.test.ts',
      'test/commands/import/plan/choose-run.test.ts',
    ],
    goal: 85,
  },
  {
    source: 'src/import/send/',
    tests: ['test/import/send/', 'test/commands/import/send/send-staged.test.ts'],
    goal: 85,
  },
  {
    source: 'src/terminal/text/',
    tests: ['test/terminal/', 'test/program/hostile-service.test.ts'],
    goal: 80,
  },
  { source: 'src/service/keys/', tests: ['test/service/keys/', 'test/commands/keys/'], goal: 80 },
  {
    source: 'src/service/http/',
    tests: ['test/service/http/', 'test/service/routes/', 'test/service/keys/access.test.ts'],
    goal: 80,
    testTimeout: 5_000,
  },
  // The other files there only show in what the service responds and logs.
  ...['log', 'obstacles', 'readiness', 'write-watch'].map((name) => ({
    source: `src/service/monitoring/${name}.ts`,
    tests: [
      'test/service/monitoring/log.test.ts',
      'test/service/monitoring/obstacles.test.ts',
      'test/service/monitoring/readiness.test.ts',
    ],
    goal: 85,
  })),
  // The other files there are judged by a real PostgreSQL that fails, which takes too long for each mutant.
  ...['failure-reason', 'store-error'].map((name) => ({
    source: `src/service/storage/postgres/connection/${name}.ts`,
    tests: ['test/service/storage/postgres/connection/'],
    goal: 80,
  })),
  {
    source: 'src/service/storage/sqlite/writer/',
    tests: writerTests,
    goal: 80,
    runsInThread: true,
  },
  {
    source: 'src/service/storage/sqlite/api-keys.ts',
    tests: writerTests,
    goal: 80,
    runsInThread: true,
  },
  {
    source: 'src/service/storage/sqlite/',
    tests: [
      ...writerTests,
      'test/service/storage/sqlite/faults.test.ts',
      'test/service/storage/sqlite/malformed-page.test.ts',
      'test/service/storage/sqlite/sqlite-engine.test.ts',
      'test/service/storage/adopted-databases.test.ts',
      'test/service/storage/copy/',
      'test/commands/db/',
    ],
    goal: 80,
  },
];
