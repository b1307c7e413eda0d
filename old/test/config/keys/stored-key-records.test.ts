import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ConfigFile, readConfigFile } from '../../../src/config/files/config-file.ts';
import { account, makeKey, openStoredKeys, production, staging } from './support.ts';

describe('the same key for two environments', () => {
  it('is noticed when it is stored', async () => {
    const { stored } = await openStoredKeys();
    expect(await stored.store(staging, makeKey('pst_shared_a1b2'))).toEqual([]);
    expect(await stored.store(production, makeKey('pst_shared_a1b2'))).toEqual(['staging']);
  });

  it('is not seen in another key, or in the same environment', async () => {
    const { stored } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_shared_a1b2'));
    expect(await stored.store(production, makeKey('pst_another_a1b2'))).toEqual([]);
    const moved = { ...staging, url: 'https://moved.example.com/v1' };
    expect(await stored.store(moved, makeKey('pst_shared_a1b2'))).toEqual([]);
  });
});

describe('the record of a key', () => {
  const record = { storage: 'keychain', lastFour: 'a1b2', fingerprint: '' } as const;
  const at = (day: number) => ({ ...record, storedAt: `2026-11-${day}T09:00:00Z` });
  const former = {
    'staging@https://one.acme.test': { ...at(10), url: 'https://one.acme.test/shop/v1' },
    'staging@https://two.acme.test': at(12),
    'staging@https://three.acme.test': at(11),
    'production@https://pets.acme.test': at(20),
  };

  async function openRecords(keys: ConfigFile['keys'] = former) {
    const { stored, configFile } = await openStoredKeys();
    await writeFile(configFile, JSON.stringify({ keys }));
    return stored;
  }

  it('is found by the URL as it was typed, which may be none', async () => {
    const stored = await openRecords();
    expect(stored.findRecord('staging', 'HTTPS://two.acme.test/x')).toEqual(at(12));
    for (const url of ['https://four.acme.test', 'two.acme.test', undefined])
      expect(stored.findRecord('staging', url)).toBeUndefined();
    expect(stored.listEnvironments()).toEqual(['staging', 'production']);
  });

  it('for another origin is the newest of its environment, where this one has none', async () => {
    const stored = await openRecords();
    expect(stored.findElsewhere(staging)).toEqual({
      ...{ lastFour: 'a1b2', storedAt: at(12).storedAt, url: 'https://two.acme.test/v1' },
    });
    expect(stored.findElsewhere({ ...staging, name: 'shop' })).toBeUndefined();
    const url = 'https://one.acme.test/v1';
    expect(stored.findElsewhere({ ...staging, url })).toBeUndefined();
  });

  it('has the base URL it was stored for', async () => {
    const account = 'staging@https://one.acme.test';
    const stored = await openRecords({ [account]: former[account] });
    expect(stored.findElsewhere(staging)?.url).toBe('https://one.acme.test/shop/v1');
  });
});

describe('what the service said of a key', () => {
  it('is remembered in place of what it said before', async () => {
    const { stored, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2', { info: { access: 'write' } }));
    const expiresAt = new Date('2026-12-20T09:00:00Z');
    await stored.rememberInfo(staging, 'a1b2', { access: 'read', expiresAt });
    expect(await stored.read(staging)).toMatchObject({ info: { access: 'read', expiresAt } });
    await stored.rememberInfo(staging, 'a1b2', { access: 'write' });
    const { keys } = readConfigFile(configFile);
    expect(keys?.[account]).toMatchObject({ access: 'write', url: staging.url });
    expect(keys?.[account]).not.toHaveProperty('expiresAt');
  });

  it('is dropped where another key was stored meanwhile, or none is', async () => {
    const { stored, configFile } = await openStoredKeys();
    await stored.store(staging, makeKey('pst_secret_a1b2'));
    const before = readConfigFile(configFile);
    await stored.rememberInfo(staging, 'c3d4', { access: 'read' });
    await stored.rememberInfo(production, 'a1b2', { access: 'read' });
    expect(readConfigFile(configFile)).toEqual(before);
  });
});

it('a fingerprint that was changed by hand is of no key', async () => {
  const { stored, configFile } = await openStoredKeys();
  const record = { storage: 'keychain', storedAt: '', lastFour: 'a1b2', fingerprint: 'ab' };
  await writeFile(configFile, JSON.stringify({ keys: { 'other@https://h': record } }));
  expect(await stored.store(staging, makeKey('pst_secret_a1b2'))).toEqual([]);
});
