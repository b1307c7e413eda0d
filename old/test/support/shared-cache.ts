/** Names the folder to the run's workers. */
export const SHARED_CACHE = 'PETSTORE_TEST_CACHE';

const folder = process.env[SHARED_CACHE];

/**
 * Variables for a start of the built program, by which it finds compiled what another one has compiled, as most starts on
 * a person's machine do: it saves a third of their time. Not for processes that are killed: the next start discards what
 * they may have damaged.
 */
export const sharedCache: Readonly<Record<string, string>> =
  folder === undefined ? {} : { XDG_CACHE_HOME: folder };
