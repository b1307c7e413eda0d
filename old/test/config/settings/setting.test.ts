import { describe, expect, it } from 'vitest';
import { candidate, resolveSetting } from '../../../src/config/settings/setting.ts';
import type { SettingSource } from '../../../src/contract/outputs/environments.ts';

const sources: SettingSource[] = [
  { kind: 'flag', name: '--env' },
  { kind: 'variable', name: 'PETSTORE_ENV' },
  { kind: 'config', path: '/config.json', member: 'environment' },
];
const kinds = ['flag', 'variable', 'config', 'default'];

/** Every combination of a flag, a variable and a config entry being given or not. */
const matrix = Array.from({ length: 8 }, (_, bits) =>
  sources.map((_source, at) => (bits & (1 << at)) !== 0),
);

describe('precedence: flag, variable, config file, default', () => {
  it.each(matrix)('given flag %s, variable %s, config %s', (...given) => {
    const candidates = sources.map((source, at) =>
      candidate(given[at] ? source.kind : undefined, source),
    );
    const setting = resolveSetting<string>(candidates, 'default');
    const expected = [...kinds.filter((_, at) => given[at]), 'default'];
    expect([setting.value, ...setting.overridden.map(({ value }) => value)]).toEqual(expected);
    expect([setting.source.kind, ...setting.overridden.map(({ source }) => source.kind)]).toEqual(
      expected,
    );
  });

  it('empty text counts as not given', () => {
    const empty = candidate('', { kind: 'flag', name: '--env' });
    expect(resolveSetting([empty], 'staging')).toMatchObject({
      value: 'staging',
      source: { kind: 'default' },
    });
  });
});
