import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config-file.ts';
import {
  type EnvironmentSettings,
  findEnvironment,
  removeEntry,
  resolveEnvironment,
} from '../../src/config/environments.ts';

const both: Config = {
  environments: {
    staging: { url: 'https://staging.test/v1' },
    production: { url: 'https://pets.test/v1' },
  },
};

function resolve(settings: Partial<EnvironmentSettings>): string {
  const resolution = resolveEnvironment({ config: {}, variables: {}, ...settings });
  if (resolution.kind === 'found') return resolution.environment.name;
  return resolution.kind === 'unselected'
    ? `one of ${resolution.names.join(' ')}`
    : `${resolution.name} has no address`;
}

describe('the environment of a command', () => {
  it.each<[string, Partial<EnvironmentSettings>]>([
    ['undefined has no address', {}],
    ['one of production staging', { config: both }],
    ['staging', { config: { environments: { staging: { url: 'pets.test' } } } }],
    ['staging', { variables: { PETSTORE_STAGING_URL: 'pets.test' } }],
    ['production', { config: { ...both, environment: 'production' } }],
    [
      'staging',
      { config: { ...both, environment: 'production' }, variables: { PETSTORE_ENV: 'staging' } },
    ],
    [
      'production',
      { config: both, variables: { PETSTORE_ENV: 'staging' }, environmentOption: 'production' },
    ],
    ['till-3', { variables: { PETSTORE_TILL_3_URL: 'pets.test', PETSTORE_ENV: 'till-3' } }],
    ['staging has no address', { environmentOption: 'staging' }],
    // Its address was in a variable when it was selected.
    ['till has no address', { config: { ...both, environment: 'till' } }],
  ])('is %s', (expected, settings) => {
    expect(resolve(settings)).toBe(expected);
  });

  it.each(['prod', '', 'Staging', '__proto__'])(
    'is never guessed from the unknown name %j',
    (name) => {
      expect(() => resolve({ config: both, environmentOption: name })).toThrow(
        'no environment called',
      );
    },
  );

  it('takes its address from a variable before the config file', () => {
    const variables = { PETSTORE_STAGING_URL: 'other.test' };
    const environment = findEnvironment({ config: both, variables }, 'staging');
    expect(environment).toMatchObject({
      baseUrl: new URL('https://other.test/v1'),
      urlSource: 'PETSTORE_STAGING_URL',
    });
  });

  it('says where an address that cannot be used is from', () => {
    const variables = { PETSTORE_STAGING_URL: 'http://pets.test' };
    expect(() => findEnvironment({ config: {}, variables }, 'staging')).toThrow(
      expect.objectContaining({
        code: 'cli_invalid_config',
        details: expect.arrayContaining([
          'it is the address of staging, from PETSTORE_STAGING_URL',
        ]),
      }),
    );
  });
});

describe('protection', () => {
  const pets = 'https://pets.test/v1';
  it.each<[boolean, string, NonNullable<Config['environments']>]>([
    [true, 'production', { production: { url: pets } }],
    [false, 'staging', { staging: { url: pets } }],
    [true, 'shop', { shop: { url: pets, protected: true } }],
    [false, 'production', { production: { url: pets, protected: false } }],
    // Another name, another path and a dot at the end of the host are the same origin.
    [true, 'staging', { production: { url: pets }, staging: { url: 'https://pets.test./b/v1' } }],
    [true, 'till', { shop: { url: pets, protected: true }, till: { url: pets } }],
    [
      false,
      'till',
      { shop: { url: pets, protected: true }, till: { url: pets, protected: false } },
    ],
    [
      false,
      'staging',
      { production: { url: pets }, staging: { url: 'https://pets.test:8443/v1' } },
    ],
    // The names of this computer are one host; another scheme or port is another place.
    ...['127.0.0.1', '127.1', '0x7f.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]'].map(
      (host): [boolean, string, NonNullable<Config['environments']>] => [
        true,
        'staging',
        {
          production: { url: 'http://localhost:8080/v1' },
          staging: { url: `http://${host}:8080/v1` },
        },
      ],
    ),
    [
      false,
      'staging',
      { production: { url: 'http://localhost:8080/v1' }, staging: { url: 'http://[::1]:8081/v1' } },
    ],
    [
      false,
      'staging',
      {
        production: { url: 'http://localhost:8080/v1' },
        staging: { url: 'https://127.0.0.1:8080/v1' },
      },
    ],
    [false, 'staging', { production: { url: 'nonsense://' }, staging: { url: pets } }],
  ])('is %s for %s in %j', (expected, name, environments) => {
    const environment = findEnvironment({ config: { environments }, variables: {} }, name);
    expect(environment?.isProtected).toBe(expected);
  });

  it('of a stored address stays while a variable gives its environment another one', () => {
    const config = { environments: { production: { url: pets } } };
    const variables = {
      PETSTORE_PRODUCTION_URL: 'https://other.test',
      PETSTORE_STAGING_URL: pets,
    };
    expect(findEnvironment({ config, variables }, 'staging')?.protectedAs).toBe('production');
  });

  it('of an address from a variable counts too', () => {
    const variables = { PETSTORE_PRODUCTION_URL: pets, PETSTORE_STAGING_URL: pets };
    expect(findEnvironment({ config: {}, variables }, 'staging')?.isProtected).toBe(true);
  });
});

it('the selected environment is no longer selected once it is removed', () => {
  expect(removeEntry({ ...both, environment: 'staging' }, 'staging')).toEqual({
    environments: { production: { url: 'https://pets.test/v1' } },
  });
});
