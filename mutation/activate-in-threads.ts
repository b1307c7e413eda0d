import { beforeAll, inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Stryker's number of the mutant that this run is about. */
    activeMutant: string | undefined;
  }
}

// Stryker activates a mutant in the thread of the tests only; those that tests start read it from this variable.
beforeAll(() => {
  const mutant = inject('activeMutant');
  if (mutant === undefined) delete process.env.__STRYKER_ACTIVE_MUTANT__;
  else process.env.__STRYKER_ACTIVE_MUTANT__ = mutant;
});
