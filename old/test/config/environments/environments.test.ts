import { describe, expect, it } from 'vitest';
import { createEnvironments } from '../../../src/config/environments/environments.ts';
import type { ConfigFile } from '../../../src/config/files/config-file.ts';
import type { Variables } from '../../../src/config/variables.ts';

const configFile = '/config.json';
const url = 'https://pets.acme.test/v1';

function open(config: ConfigFile = {}, flag?: string, variables: Variables = {}) {
  const startedAt = new Date('2026-11-20T09:00:00Z');
  return createEnvironments({ flag, variables, configFile, readConfig: () => config, startedAt });
}

const inConfig = (member: string) => ({ kind: 'config', path: configFile, member });
const byDefault = { kind: 'default' };

describe('an environment ready for a request', () => {
  it('has the URL and the protection that are configured', () => {
    const { target } = open({ environments: { shop: { url: `${url}/`, protected: true } } });
    expect(target('shop')).toEqual({ name: 'shop', url, protected: true });
  });

  it('needs a URL, and is told how to get one', () => {
    expect(() => open().target()).toThrow(
      expect.objectContaining({
        code: 'cli_no_url',
        message: 'The environment staging has no URL yet',
        details: [
          'two lines set it up; whoever runs the service gives you its URL and an API key',
          'or set PETSTORE_STAGING_URL and PETSTORE_STAGING_API_KEY',
        ],
        next: [
          'petstore env set staging --url https://pets.example.com/v1',
          'petstore auth login --env staging',
        ],
      }),
    );
  });

  it('needs a URL that is allowed, and says where another one came from', () => {
    const variables = { PETSTORE_STAGING_URL: 'https://pets.acme.test' };
    expect(() => open({}, undefined, variables).target()).toThrow(
      expect.objectContaining({
        code: 'cli_invalid_config',
        message: 'The URL https://pets.acme.test/ cannot be used: it must end in /v1',
        details: [
          'it is the URL of staging, from PETSTORE_STAGING_URL',
          'a base URL looks like https://pets.example.com/v1',
        ],
        next: ['petstore env set staging --url https://pets.example.com/v1'],
        cause: expect.objectContaining({ code: 'cli_invalid_config' }),
      }),
    );
  });
});

it.each([
  ['by --env', open({}, 'prodution'), undefined, ' (from --env).'],
  ['by the command', open(), 'prodution', '.'],
])('an environment that does not exist, named %s, is refused', (_, environments, name, from) => {
  expect(() => environments.describe(name)).toThrow(
    expect.objectContaining({
      code: 'cli_unknown_environment',
      message: `There is no environment called "prodution"${from} Did you mean production?`,
      details: ['environments: production, staging'],
      next: ['petstore env list'],
    }),
  );
});

it('a choice for a time counts until its end, and not at it', () => {
  const chosen = (until: string) =>
    open({ environment: 'shop', temporary: { environment: 'production', until } });
  expect(chosen('2026-11-20T09:00:00.001Z').selected()).toEqual({
    ...{ value: 'production', source: inConfig('temporary') },
    overridden: [
      { value: 'shop', source: inConfig('environment') },
      { value: 'staging', source: byDefault },
    ],
  });
  expect(chosen('2026-11-20T09:00:00.000Z').selected().value).toBe('shop');
  expect(chosen('2026-11-20T09:00:00.000Z').temporary()).toEqual({
    ...{ name: 'production', next: 'shop', until: new Date('2026-11-20T09:00:00Z') },
  });
});

describe('environments with one base URL', () => {
  const shared = {
    production: { url },
    shop: { url: `${url}/` },
    till: { url, protected: false },
    other: { url: 'https://other.acme.test/v1' },
  };

  it('are listed by name', () => {
    expect(open({ environments: shared }).listSharing('till')).toEqual(['production', 'shop']);
    expect(open({ environments: shared }).listSharing('other')).toEqual([]);
    // Neither has a URL.
    expect(open().listSharing('staging')).toEqual([]);
  });

  it('are protected if one of them is, which is named as the source', () => {
    const { describe: explain } = open({ environments: shared });
    expect(explain('till').protected).toEqual({
      ...{ value: true, source: inConfig('environments.production.url') },
      overridden: [
        { value: false, source: inConfig('environments.till.protected') },
        { value: false, source: byDefault },
      ],
    });
    expect(explain('production').protected).toEqual({
      ...{ value: true, source: byDefault },
      overridden: [],
    });
    expect(explain('other').protected.value).toBe(false);
  });
});
