import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../../src/config/files/config-file.ts';
import { makeFolder } from '../../support/make-folder.ts';

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
