/** Whether only tests are run whose imports lead to the mutated file: to what runs in a thread of its own, none do. */
const related = process.env.PETSTORE_MUTATION_COVERAGE !== 'off';

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'mutation/vitest.config.ts', related },
  coverageAnalysis: 'perTest',
  incremental: true,
  tempDirName: 'mutation/.work/sandbox',
  ignorePatterns: [
    '/release',
    '/bench',
    '/conformance',
    '/binary/out',
    '/mutation/.work',
    '/mutation/node_modules',
  ],
  // Stryker would read it by the compiler's JavaScript API, which TypeScript 7 does not have.
  tsconfigFile: 'mutation/none.json',
  checkers: [],
  reporters: ['progress-append-only'],
  allowConsoleColors: false,
};
