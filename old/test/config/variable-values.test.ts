import { describe, expect, it } from 'vitest';
import {
  environmentVariables,
  forEnvironment,
  listKeyValues,
  readVariable,
  variableNameFor,
} from '../../src/config/variables.ts';

type Name = keyof typeof environmentVariables;

/** What variables say, by name and text. */
const values = {
  debug: { '': undefined, 0: undefined, false: undefined, 1: true, no: true },
  accessible: { '': undefined, 0: undefined, false: undefined, 1: true },
  ci: { '': undefined, 0: undefined, false: undefined, true: true },
  history: { '': undefined, off: false, OFF: false, 0: false, false: false, no: false, on: true },
  noColor: { '': undefined, 0: 'never', 1: 'never' },
  forceColor: { '': 'always', 1: 'always', 3: 'always', 0: 'never', false: 'never' },
  term: { '': undefined, dumb: 'never', xterm: undefined },
  columns: { '': undefined, 0: undefined, '-1': undefined, 1: 1, 80: 80, '80.5': undefined },
  configHome: { '': undefined, relative: undefined, '/absolute': '/absolute' },
  stateHome: { relative: undefined, '/absolute': '/absolute' },
  dataHome: { relative: undefined, '/absolute': '/absolute' },
  cacheHome: { relative: undefined, '/absolute': '/absolute' },
  environment: { '': undefined, staging: 'staging' },
} satisfies { [key in Name]?: Record<string, unknown> };

const cases = Object.entries(environmentVariables).flatMap(([key, variable]) => {
  const entry = Object.entries(values).find(([name]) => name === key)?.[1] ?? {};
  return Object.entries(entry).map(([text, value]) => ({ variable, text, value }));
});

describe('a variable', () => {
  it.each(cases)('$variable.name="$text" says $value', ({ variable, text, value }) => {
    const read = readVariable<unknown>(variable, { [variable.name]: text });
    const source = { kind: 'variable', name: variable.name };
    expect(read).toEqual(value === undefined ? undefined : { value, source });
  });

  it('that is not set says nothing', () => {
    expect(readVariable(environmentVariables.forceColor, {})).toBeUndefined();
  });

  it('of an environment has its name in capitals, dashes as underscores', () => {
    const { environmentUrl } = environmentVariables;
    expect(variableNameFor('my-old-shop', environmentUrl)).toBe('PETSTORE_MY_OLD_SHOP_URL');
    const variable = forEnvironment(environmentUrl, 'staging');
    expect(variable).toMatchObject({ name: 'PETSTORE_STAGING_URL' });
    expect(variable.parse('https://h/v1')).toBe('https://h/v1');
  });
});

it('every API key among the variables is found, and nothing else', () => {
  const variables = {
    ...{ PETSTORE_API_KEY: 'a', PETSTORE_STAGING_API_KEY: 'b', PETSTORE_MY_SHOP_API_KEY: 'c' },
    ...{ PETSTORE_EMPTY_API_KEY: '', PETSTORE_UNSET_API_KEY: undefined },
    ...{ PETSTORE_API_KEY_FILE: 'no', MY_PETSTORE_API_KEY: 'no', PETSTORE_URL: 'no' },
    ...{ PETSTORE_STAGING_API_KEY_OLD: 'no' },
  };
  expect(listKeyValues(variables)).toEqual(['a', 'b', 'c']);
});
