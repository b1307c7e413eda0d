import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderVariables } from '../../scripts/manual/render-variables.ts';
import {
  environmentVariables,
  forEnvironment,
  listKeyValues,
  readVariable,
} from '../../src/config/variables.ts';

const source = path.resolve(import.meta.dirname, '../../src');

describe('the list of environment variables', () => {
  it('is the only place in the sources that spells a name; those of serve are spelled by the service', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|cjs|mjs)$/.test(file))
      .map((file) => file.split(path.sep).join('/'));
    const spelling = files.filter((file) =>
      /\bPETSTORE_(?!SERVE_)[\w<]/.test(readFileSync(path.join(source, file), 'utf8')),
    );
    expect(spelling).toEqual(['config/variables.ts']);
  });

  it('is the table in the README; if not: npm run variables', () => {
    const readme = readFileSync(path.resolve(source, '../README.md'), 'utf8');
    const table = /<!-- variables: .*-->\n(.*?)<!-- \/variables -->/s.exec(readme)?.[1];
    expect(table).toBe(renderVariables());
  });

  it('names each variable once', () => {
    const names = Object.values(environmentVariables).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('reading a variable', () => {
  const { output, columns, forceColor, noColor, debug, configHome } = environmentVariables;

  it.each([
    ['text', output, 'json', 'json'],
    ['empty text, which counts as not set', output, '', undefined],
    ['a width', columns, '120', 120],
    ['a width that is not one', columns, '-1', undefined],
    ['FORCE_COLOR, even when empty', forceColor, '', 'always'],
    ['FORCE_COLOR=0', forceColor, '0', 'never'],
    ['NO_COLOR', noColor, '1', 'never'],
    ['NO_COLOR, which does not count when empty', noColor, '', undefined],
    ['a switch', debug, '1', true],
    ['a switch that is off', debug, '0', undefined],
    ['a folder', configHome, '/home/ann/.config', '/home/ann/.config'],
    ['a relative folder, which XDG ignores', configHome, 'config', undefined],
  ])('takes %s', (_, variable, text, value) => {
    const read = readVariable<unknown>(variable, { [variable.name]: text });
    expect(read).toEqual(
      value === undefined
        ? undefined
        : { value, source: { kind: 'variable', name: variable.name } },
    );
  });

  it('gives an environment variables of its own', () => {
    const variable = forEnvironment(environmentVariables.environmentUrl, 'my-shop-2');
    expect(variable.name).toBe('PETSTORE_MY_SHOP_2_URL');
    expect(readVariable(variable, { PETSTORE_MY_SHOP_2_URL: 'https://h/v1' })).toMatchObject({
      value: 'https://h/v1',
    });
  });

  it('finds the API key of every environment, and no path of a key file', () => {
    const variables = {
      PETSTORE_API_KEY: 'one',
      PETSTORE_MY_SHOP_API_KEY: 'two',
      PETSTORE_API_KEY_FILE: '/path',
      PETSTORE_STAGING_URL: 'https://h/v1',
      OTHER_API_KEY: 'three',
    };
    expect(listKeyValues(variables)).toEqual(['one', 'two']);
  });
});
