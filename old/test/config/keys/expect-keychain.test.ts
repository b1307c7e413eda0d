import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { keyCommands } from '../../../src/commands/key-commands.ts';
import { expectsKeychain } from '../../../src/config/keys/expect-keychain.ts';
import { makeFolder } from '../../support/make-folder.ts';

async function expects(line: string, storage: string, variables: Record<string, string> = {}) {
  const home = await makeFolder();
  const key = { storage, storedAt: '2026-11-20', lastFour: 'a1b2', fingerprint: '' };
  const config = { keys: { 'staging@https://pets.test': key } };
  await mkdir(path.join(home, 'petstore'));
  await writeFile(path.join(home, 'petstore/config.json'), JSON.stringify(config, null, 2));
  return expectsKeychain(line.split(' '), { XDG_CONFIG_HOME: home, ...variables }, keyCommands);
}

describe.skipIf(process.platform === 'win32')('a key from the keychain', () => {
  it.each(['list', 'ls --json', 'add Rex --category 7', '-e production list', '--json get 7'])(
    'is expected by: petstore %s',
    async (line) => expect(await expects(line, 'keychain')).toBe(true),
  );

  it.each([
    'env list',
    'help list',
    'list --help',
    'list -V',
    'add Rex --dry-run',
    'lsit',
    'auth login',
  ])('is not expected by: petstore %s', async (line) =>
    expect(await expects(line, 'keychain')).toBe(false),
  );

  it('is not expected where none was stored there, or a variable may give one', async () => {
    expect(await expects('list', 'file')).toBe(false);
    for (const name of ['API_KEY', 'API_KEY_FILE', 'PRODUCTION_API_KEY'])
      expect(await expects('list', 'keychain', { [`PETSTORE_${name}`]: 'k' })).toBe(false);
    // An empty one says nothing.
    expect(await expects('list', 'keychain', { PETSTORE_API_KEY: '' })).toBe(true);
  });

  it('is expected by a config file without white space, too', async () => {
    const folder = await makeFolder();
    await writeFile(path.join(folder, 'config.json'), '{"keys":{"a@b":{"storage":"keychain"}}}');
    expect(expectsKeychain(['list'], { PETSTORE_CONFIG_DIR: folder }, keyCommands)).toBe(true);
    expect(expectsKeychain([], { PETSTORE_CONFIG_DIR: folder }, keyCommands)).toBe(false);
  });

  it('is not expected where the config file is a folder or missing', async () => {
    const folder = await makeFolder();
    await mkdir(path.join(folder, 'config.json'));
    for (const place of [folder, path.join(folder, 'none')])
      expect(expectsKeychain(['list'], { PETSTORE_CONFIG_DIR: place }, keyCommands)).toBe(false);
  });
});

it('the words that need a key are commands or their aliases', () => {
  const words = commands.flatMap(({ name, alias }) => [name, alias]);
  for (const word of keyCommands) expect(words).toContain(word);
});
