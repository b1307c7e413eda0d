import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeConfigFile, readConfigFile } from '../../../src/config/files/config-file.ts';
import { makeFolder } from '../../support/make-folder.ts';

const run = promisify(execFile);
const module = path.resolve(import.meta.dirname, '../../../src/config/files/config-file.ts');

async function writeConfig(text: string): Promise<string> {
  const file = path.join(await makeFolder(), 'config.json');
  await writeFile(file, text);
  return file;
}

describe('reading the config file', () => {
  it('takes a missing file for an empty one', () => {
    expect(readConfigFile('/nonexistent/config.json')).toEqual({});
  });

  it('reads every setting there is', async () => {
    const config = {
      environment: 'production',
      output: 'json',
      environments: { production: { url: 'https://pets.example.com/v1', protected: true } },
      keys: {
        'production@https://pets.example.com': {
          storage: 'keychain',
          storedAt: '2026-11-20T00:00:00.000Z',
          lastFour: 'a1b2',
          fingerprint: '00:11',
        },
      },
    };
    expect(readConfigFile(await writeConfig(`\uFEFF${JSON.stringify(config)}`))).toEqual(config);
  });

  it.each([
    [
      'a comma too few',
      '{\n  "environment": "a"\n  "output": "json"\n}',
      'not JSON: comma expected (line 3, column 3)',
    ],
    ['a comment', '{\n  // mine\n}', 'not JSON: invalid comment token (line 2, column 3)'],
    [
      'a file cut short',
      '{ "environments": {',
      'not JSON: close brace expected (line 1, column 20)',
    ],
    [
      'thousands of levels',
      `{\n  "environments": ${'['.repeat(100_000)}`,
      'too deeply nested (line 2, column 1018)',
    ],
    [
      'thousands of levels in the place of an environment',
      `{\n  "environments": {\n    "a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      'environments.a.0 (line 3, column 5) is not a setting.',
    ],
    ['an empty file', '', 'not JSON: value expected (line 1, column 1)'],
    ['no object', '[]', 'it must hold one JSON object'],
    ['nothing', 'null', 'it must hold one JSON object'],
    ['a number', '7', 'it must hold one JSON object'],
    [
      'an unknown setting',
      '{\n  "enviroment": "staging"\n}',
      'enviroment (line 2, column 3) is not a setting. Did you mean environment?',
    ],
    [
      'an unknown setting of one environment, its name used elsewhere too',
      '{"environment": "urll",\n "environments": {"a": {\n  "urll": ""}}}',
      'environments.a.urll (line 3, column 3) is not a setting. Did you mean url?',
    ],
    [
      'an entry that is given twice, of which the next write would lose one',
      '{"environments": {"a": {}, "b": {}, "a": {}}}',
      'a is given twice',
    ],
    [
      'an entry that no environment can have',
      '{"environments": {"__proto__": {}}}',
      'environments.__proto__ (line 1, column 19) must be /^[a-z][a-z0-9-]{0,31}$/, not "__proto__"',
    ],
    [
      'an inherited setting',
      '{"constructor": {}}',
      'constructor (line 1, column 2) is not a setting.',
    ],
    [
      'a value of the wrong kind',
      '{\n "environments": {"a": {"protected": "yes"}}}',
      'environments.a.protected (line 2, column 25) must be boolean, not "yes"',
    ],
    [
      'a name that no environment has',
      '{"environments": {"A b": {}}}',
      'environments.A b (line 1, column 19) must be /^[a-z][a-z0-9-]{0,31}$/, not "A b"',
    ],
  ])('refuses %s with its position', async (_, text, problem) => {
    const file = await writeConfig(text);
    expect(() => readConfigFile(file)).toThrow(
      expect.objectContaining({
        code: 'cli_invalid_config',
        message: `${file} cannot be used`,
        details: [problem, 'correct it in an editor, or move it away to start with the defaults'],
      }),
    );
  });

  it('takes nothing inside of a text for a byte order mark', async () => {
    const text = JSON.stringify({ environment: 'a\uFEFFb' });
    expect(readConfigFile(await writeConfig(text))).toEqual({ environment: 'a\uFEFFb' });
  });

  it('says why what stands in its place cannot be read', async () => {
    const folder = await makeFolder();
    expect(() => readConfigFile(folder)).toThrow(
      expect.objectContaining({
        code: 'cli_invalid_config',
        message: `The config file cannot be read: ${folder} is a folder, not a file`,
        cause: expect.objectContaining({ code: 'EINVAL' }),
      }),
    );
  });

  it('reports every problem at once', async () => {
    const file = await writeConfig('{"environment": 1, "output": "yaml"}');
    expect(() => readConfigFile(file)).toThrow(
      expect.objectContaining({
        details: [
          expect.stringMatching(/^environment /),
          expect.stringMatching(/^output /),
          expect.anything(),
        ],
      }),
    );
  });
});

describe('changing the config file', () => {
  it('keeps every entry that it does not change, whatever their names', async () => {
    const name = fc.oneof(
      fc.constantFrom('constructor', 'prototype', 'staging', 'url', 'a'),
      fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/),
    );
    const environment = fc.record(
      { url: fc.string(), protected: fc.boolean() },
      { requiredKeys: [] },
    );
    const account = fc.oneof(fc.constantFrom('constructor', '__proto__', 'a@b'), fc.string());
    const key = fc.record({
      storage: fc.constantFrom('keychain', 'file'),
      storedAt: fc.string(),
      lastFour: fc.string(),
      fingerprint: fc.string(),
    });
    const file = path.join(await makeFolder(), 'config.json');
    const property = fc.asyncProperty(
      fc.array(fc.tuple(name, environment)),
      fc.array(fc.tuple(account, key)),
      name,
      async (environments, keys, used) => {
        const config = {
          environment: 'before',
          environments: Object.fromEntries(environments),
          keys: Object.fromEntries(keys),
        };
        await writeFile(file, JSON.stringify(config));
        await changeConfigFile(file, (before) => ({ ...before, environment: used }));
        const after = JSON.parse(await readFile(file, 'utf8'));
        expect(after).toEqual(JSON.parse(JSON.stringify({ ...config, environment: used })));
        expect(Object.keys(after.keys).sort()).toEqual(Object.keys(config.keys).sort());
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  it('never takes what is not its own text for one, and never changes that', async () => {
    const file = path.join(await makeFolder(), 'config.json');
    const property = fc.asyncProperty(
      fc.oneof(fc.json(), fc.string(), fc.constant('{"environments": {"a": 1}}')),
      async (text) => {
        await writeFile(file, text);
        const change = changeConfigFile(file, (before) => before);
        const error = await change.then(
          () => undefined,
          (failure: unknown) => failure,
        );
        const after = await readFile(file, 'utf8');
        if (error === undefined) expect(JSON.parse(after)).toEqual(JSON.parse(text));
        else {
          expect(error).toMatchObject({ code: 'cli_invalid_config' });
          expect(after).toBe(text);
        }
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  it('loses nothing when many processes change it at once', async () => {
    const file = path.join(await makeFolder(), 'config.json');
    const names = Array.from({ length: 8 }, (_, index) => `shop-${index}`);
    const program = `
      const { changeConfigFile } = await import(${JSON.stringify(module)});
      const [file, name] = process.argv.slice(-2);
      for (const turn of ['a', 'b', 'c']) {
        await changeConfigFile(file, (config) => ({
          ...config,
          environments: { ...config.environments, [name + turn]: {} },
        }));
      }`;
    await Promise.all(
      names.map((name) =>
        run(process.execPath, [
          '--import',
          'tsx',
          '--input-type=module',
          '-e',
          program,
          file,
          name,
        ]),
      ),
    );
    const wanted = names.flatMap((name) => [`${name}a`, `${name}b`, `${name}c`]);
    expect(Object.keys(readConfigFile(file).environments ?? {}).sort()).toEqual(wanted.sort());
    expect(await readdir(path.dirname(file))).toEqual(['config.json']);
  });

  it('begins with an empty one where there is none', async () => {
    const file = path.join(await makeFolder(), 'petstore', 'config.json');
    await changeConfigFile(file, (before) => ({ ...before, environment: 'staging' }));
    expect(await readFile(file, 'utf8')).toBe('{\n  "environment": "staging"\n}\n');
  });

  it('leaves a broken file as it is', async () => {
    const file = await writeConfig('{"environment": }');
    await expect(changeConfigFile(file, () => ({}))).rejects.toMatchObject({
      code: 'cli_invalid_config',
    });
    expect(await readFile(file, 'utf8')).toBe('{"environment": }');
    expect(await readdir(path.dirname(file))).toEqual(['config.json']);
  });

  it('says which file cannot be written', async () => {
    const folder = await makeFolder();
    await writeFile(path.join(folder, 'petstore'), 'a file where a folder should be');
    const file = path.join(folder, 'petstore', 'config.json');
    await expect(changeConfigFile(file, () => ({}))).rejects.toMatchObject({
      code: 'cli_file',
      message: expect.stringContaining(`${file} cannot be written`),
      details: ['PETSTORE_CONFIG_DIR names another folder for it'],
    });
  });
});
