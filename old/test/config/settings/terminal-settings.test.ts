import { describe, expect, it } from 'vitest';
import { resolveHistory } from '../../../src/config/settings/history-setting.ts';
import { describeSource } from '../../../src/config/settings/setting.ts';
import {
  readTerminalSettings,
  resolveFormat,
} from '../../../src/config/settings/terminal-settings.ts';
import type { Variables } from '../../../src/config/variables.ts';

const everything = { FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' };

describe('what flags and variables say about a terminal', () => {
  it('nothing, unless one of them is given', () => {
    const byDefault = (value: unknown) => ({ value, source: { kind: 'default' }, overridden: [] });
    expect(readTerminalSettings({})).toEqual({
      ...{ color: byDefault('auto'), columns: byDefault(undefined), noInput: byDefault(false) },
      ...{ isAccessible: false, isDebugging: false },
    });
  });

  it.each([
    [{ color: 'auto' }, everything, 'auto', 'flag'],
    [{}, everything, 'always', 'FORCE_COLOR'],
    [{}, { ...everything, FORCE_COLOR: undefined }, 'never', 'NO_COLOR'],
    [{}, { TERM: 'dumb' }, 'never', 'TERM'],
  ] as const)('color by %j and %j: %s', (flags, variables, value, name) => {
    const source = name === 'flag' ? { kind: 'flag', name: '--color' } : { kind: 'variable', name };
    expect(readTerminalSettings(variables, flags).color).toMatchObject({ value, source });
  });

  it.each([
    [{ input: false }, {}, true],
    [{ input: true }, {}, false],
    [{}, { CI: '1' }, true],
    [{ input: true }, { CI: '1' }, true],
  ])('by %j and %j nobody can be asked: %s', (flags, variables, value) => {
    expect(readTerminalSettings(variables, flags).noInput.value).toBe(value);
  });

  it('columns, accessibility and the stack of errors are asked for by variables', () => {
    const variables = { COLUMNS: '40', ACCESSIBLE: '1', PETSTORE_DEBUG: '1' };
    expect(readTerminalSettings(variables)).toMatchObject({
      ...{ columns: { value: 40 }, isAccessible: true, isDebugging: true },
    });
    expect(readTerminalSettings({ ACCESSIBLE: '1' }).isDebugging).toBe(false);
    expect(readTerminalSettings({}, { input: false }).noInput.source).toEqual({
      kind: 'flag',
      name: '--no-input',
    });
  });
});

describe('the output format', () => {
  const resolve = (flag: string | undefined, variables: Variables, output?: 'json' | 'csv') =>
    resolveFormat({
      flag: flag === undefined ? undefined : { name: '--output', value: flag },
      variables,
      configFile: '/config.json',
      readConfig: () => (output === undefined ? {} : { output }),
    });

  it.each([
    ['ndjson', { PETSTORE_OUTPUT: 'csv' }, 'json', 'ndjson', ['csv', 'json', 'table']],
    [undefined, { PETSTORE_OUTPUT: 'csv' }, 'json', 'csv', ['json', 'table']],
    [undefined, {}, 'json', 'json', ['table']],
    [undefined, {}, undefined, 'table', []],
    ['json', { PETSTORE_OUTPUT: 'nonsense' }, undefined, 'json', ['table']],
  ] as const)('flag %s, %j, config %s: %s', (flag, variables, output, value, overridden) => {
    const setting = resolve(flag, variables, output);
    expect(setting.value).toBe(value);
    expect(setting.overridden.map((one) => one.value)).toEqual(overridden);
  });

  it.each([
    ['jsn', {}, '--output: "jsn" is not an output format. Did you mean json?'],
    [undefined, { PETSTORE_OUTPUT: 'xx' }, 'PETSTORE_OUTPUT: "xx" is not an output format.'],
  ])('that is unknown is refused by its source: %s %j', (flag, variables, message) => {
    expect(() => resolve(flag, variables)).toThrow(
      expect.objectContaining({
        ...{ code: 'cli_usage', message, next: ['petstore help output'] },
        details: ['formats: table, json, ndjson, csv'],
      }),
    );
  });
});

describe('adds are recorded', () => {
  it.each([
    [{}, {}, true],
    [{ PETSTORE_HISTORY: 'off' }, {}, false],
    [{ PETSTORE_HISTORY: 'on' }, { history: false }, false],
    [{ PETSTORE_HISTORY: 'off' }, { history: true }, false],
  ])('by %j and %j: %s', (variables, flags, value) => {
    expect(resolveHistory(variables, flags).value).toBe(value);
  });

  it('unless --no-history, which is named as the source', () => {
    expect(resolveHistory({}, { history: false }).source).toEqual({
      kind: 'flag',
      name: '--no-history',
    });
  });
});

it.each([
  [{ kind: 'flag', name: '--env' }, '--env'],
  [{ kind: 'variable', name: 'PETSTORE_ENV' }, 'PETSTORE_ENV'],
  [{ kind: 'config', path: '/c.json', member: 'output' }, '/c.json (output)'],
  [{ kind: 'keychain' }, 'the OS keychain'],
  [{ kind: 'file', path: '/keys.json' }, 'the key file /keys.json'],
  [{ kind: 'default' }, 'default'],
] as const)('the source %j is called %s', (source, text) => {
  expect(describeSource(source)).toBe(text);
});
