import type { SettingSource } from '../../contract/outputs/environments.ts';

/** A value that was given somewhere, and where. */
export interface Candidate<T> {
  value: T;
  source: SettingSource;
}

/** An effective setting: its value, where it came from and what it overrides, the strongest first. */
export interface Setting<T> extends Candidate<T> {
  overridden: Candidate<T>[];
}

/** Takes the first candidate that was given; the order of the list is the precedence. The last one is the default. */
export function resolveSetting<T>(
  candidates: readonly (Candidate<T> | undefined)[],
  fallback: T,
): Setting<T> {
  const given = candidates.filter((candidate) => candidate !== undefined);
  const byDefault: Candidate<T> = { value: fallback, source: { kind: 'default' } };
  const [winner, ...others] = given;
  return winner === undefined
    ? { ...byDefault, overridden: [] }
    : { ...winner, overridden: [...others, byDefault] };
}

/** A candidate for `resolveSetting`, or nothing where the value was not given. Empty text counts as not given. */
export function candidate<T>(
  value: T | undefined,
  source: SettingSource,
): Candidate<T> | undefined {
  return value === undefined || value === '' ? undefined : { value, source };
}

/** `--env`, a variable's name, `/home/ann/.config/petstore/config.json (environment)` or `default`. */
export function describeSource(source: SettingSource): string {
  switch (source.kind) {
    case 'flag':
    case 'variable':
      return source.name;
    case 'config':
      return `${source.path} (${source.member})`;
    case 'keychain':
      return 'the OS keychain';
    case 'file':
      return `the key file ${source.path}`;
    case 'default':
      return 'default';
  }
}
