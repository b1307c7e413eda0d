import { afterAll, beforeAll, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Stryker's number of the mutant that this run is about. */
    activeMutant: string | undefined;
    /** The name of the global in which Stryker keeps what it needs. */
    globalNamespace: string;
  }
}

// Stryker activates a mutant in the thread of the tests only; those that tests start read it from this variable.
beforeAll(() => {
  const mutant = inject('activeMutant');
  if (mutant === undefined) delete process.env.__STRYKER_ACTIVE_MUTANT__;
  else process.env.__STRYKER_ACTIVE_MUTANT__ = mutant;
});

// Stryker's runner collects coverage whatever it is told, and what runs in other threads is in none: without any, each
// mutant is judged by every test.
afterAll(() => {
  const stryker: unknown = Reflect.get(globalThis, inject('globalNamespace'));
  if (process.env.PETSTORE_MUTATION_COVERAGE === 'off' && stryker instanceof Object)
    Reflect.deleteProperty(stryker, 'mutantCoverage');
});
