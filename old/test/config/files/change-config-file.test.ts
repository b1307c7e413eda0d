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
