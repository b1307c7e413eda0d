/** A part of the source, and the tests that should notice a mistake in it. */
export interface Area {
  readonly source: string;
  /** Folders and files; of these Stryker runs the ones that reach the mutated file by their imports. */
  readonly tests: readonly string[];
  /** The share of its mutants that the tests must notice, in percent. */
  readonly goal: number;
  /** Whether its code runs in a thread of its own, where Stryker cannot see which test reaches which line. */
  readonly runsInThread?: boolean;
}

/** What `npm run test:mutation` goes through; a file belongs to the first area whose source it begins with. */
export const areas: readonly Area[] = [
  {
    source: 'src/contract/',
    tests: ['test/contract/', 'test/docs/schema.test.ts'],
    goal: 85,
  },
  {
    source: 'src/config/',
    tests: [
      'test/config/',
      'test/commands/auth/',
      'test/commands/completion/',
      'test/commands/env/',
      'test/program/precedence.test.ts',
    ],
    goal: 85,
  },
  { source: 'src/history/', tests: ['test/history/', 'test/commands/history/'], goal: 85 },
  {
    source: 'src/client/',
    tests: ['test/client/', 'test/commands/list/', 'test/program/misbehaving-servers.test.ts'],
    goal: 85,
  },
  { source: 'src/import/', tests: ['test/import/', 'test/commands/import/'], goal: 85 },
  {
    source: 'src/terminal/text/',
    tests: ['test/terminal/', 'test/program/hostile-service.test.ts'],
    goal: 80,
  },
  { source: 'src/service/keys/', tests: ['test/service/keys/'], goal: 80 },
  {
    source: 'src/service/http/',
    tests: ['test/service/http/', 'test/service/routes/'],
    goal: 80,
  },
  {
    source: 'src/service/storage/sqlite/writer/',
    tests: ['test/service/storage/sqlite/', 'test/service/keys/access.test.ts'],
    goal: 80,
    runsInThread: true,
  },
  {
    source: 'src/service/storage/sqlite/',
    tests: [
      'test/service/storage/sqlite/',
      'test/service/storage/adopted-databases.test.ts',
      'test/service/storage/database-engine.test.ts',
      'test/service/keys/access.test.ts',
      'test/commands/db/',
    ],
    goal: 80,
  },
];
