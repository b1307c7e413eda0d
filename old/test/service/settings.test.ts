import { describe, expect, it } from 'vitest';
import { resolveServeSettings, SettingError } from '../../src/service/settings.ts';

const resolve = (flags: Record<string, unknown> = {}, variables: Record<string, string> = {}) =>
  resolveServeSettings({ flags, variables, dataFolder: '/data/petstore' });

describe('the settings of serve', () => {
  it('have defaults that are safe on any machine', () => {
    expect(resolve()).toEqual({
      host: '127.0.0.1',
      port: 8080,
      database: 'sqlite:/data/petstore/petstore.db',
      seed: false,
      behindProxy: false,
      docs: true,
      logLevel: 'info',
    });
  });

  it.each([
    ['port', '9000', 'PETSTORE_SERVE_PORT', '9001', 9000, 9001],
    ['host', 'localhost', 'PETSTORE_SERVE_HOST', '::1', 'localhost', '::1'],
    ['database', 'sqlite:a', 'PETSTORE_SERVE_DATABASE', 'sqlite:b', 'sqlite:a', 'sqlite:b'],
    ['metricsPort', '1', 'PETSTORE_SERVE_METRICS_PORT', '2', 1, 2],
    ['connectionsPerAddress', '7', 'PETSTORE_SERVE_CONNECTIONS_PER_ADDRESS', '8', 7, 8],
    ['logLevel', 'debug', 'PETSTORE_SERVE_LOG_LEVEL', 'error', 'debug', 'error'],
    ['seed', true, 'PETSTORE_SERVE_SEED', 'true', true, true],
    ['docs', false, 'PETSTORE_SERVE_DOCS', '0', false, false],
    ['behindProxy', true, 'PETSTORE_SERVE_BEHIND_PROXY', '1', true, true],
  ])(
    '%s: flag before variable before default',
    (name, flag, variable, value, fromFlag, fromVariable) => {
      const read = (settings: object) =>
        Object.entries(settings).find(([key]) => key === name)?.[1];
      expect(read(resolve({ [name]: flag }, { [variable]: value }))).toEqual(fromFlag);
      expect(read(resolve({}, { [variable]: value }))).toEqual(fromVariable);
      expect(read(resolve({}, { [variable]: '' }))).toEqual(read(resolve()));
    },
  );

  it.each([
    ['2030-12-06', '2030-12-06T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2030-12-05T01:00:00+01:00', '2030-12-05T00:00:00.000Z'],
  ])('--as-of %s is an instant', (text, instant) => {
    expect(resolve({ asOf: text }).asOf?.toISOString()).toBe(instant);
  });

  it.each([
    [{ port: '99999' }, {}, /^--port: write a port from 0 to 65535, not "99999"$/],
    [{ port: '-1' }, {}, /^--port: /],
    [{ port: '' }, {}, /^--port: /],
    [{}, { PETSTORE_SERVE_PORT: 'http' }, /^PETSTORE_SERVE_PORT: .*not "http"$/],
    [{ metricsPort: 'x' }, {}, /^--metrics-port: /],
    [{ connectionsPerAddress: '0' }, {}, /^--connections-per-address: write a whole number from 1/],
    [{ asOf: 'tomorrow' }, {}, /^--as-of: write a date such as 2030-12-06/],
    [{ asOf: '2030-13-01' }, {}, /^--as-of: /],
    [{ asOf: '2030-02-30' }, {}, /^--as-of: .*not "2030-02-30"$/],
    [{ asOf: '2030-02-29T00:00:00Z' }, {}, /^--as-of: /],
    [{ logLevel: 'loud' }, {}, /^--log-level: write one of debug, info/],
    [{}, { PETSTORE_SERVE_SEED: 'maybe' }, /^PETSTORE_SERVE_SEED: write true or false/],
    [{ host: '' }, {}, /^--host: must not be empty/],
    [{ tlsCert: 'a.pem' }, {}, /--tls-cert and --tls-key belong together/],
    [{}, { PETSTORE_SERVE_TLS_KEY: 'a.pem' }, /--tls-cert and --tls-key belong together/],
    [{ metricsPort: '8080' }, {}, /^--port and --metrics-port are the same/],
    [
      { port: '9' },
      { PETSTORE_SERVE_METRICS_PORT: '9' },
      /^--port and --metrics-port are the same/,
    ],
  ])('refuses %j %j, naming it and what is allowed', (flags, variables, message) => {
    expect(() => resolve(flags, variables)).toThrow(SettingError);
    expect(() => resolve(flags, variables)).toThrow(message);
  });
});

it('any free port may be asked for twice', () => {
  expect(resolve({ port: '0', metricsPort: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
});

describe('listening in the open', () => {
  it.each([
    '0.0.0.0',
    '::',
    '192.168.1.2',
    '10.0.0.1',
    'pets.example.com',
    '127.example.com',
    '::ffff:10.0.0.1',
  ])('is refused on %s without TLS, with the ways out', (host) => {
    expect(() => resolve({ host })).toThrow(/--tls-cert and --tls-key.*--behind-proxy/);
  });

  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1', '0:0:0:0:0:0:0:1'])(
    'is what %s is not',
    (host) => {
      expect(resolve({ host }).host).toBe(host);
    },
  );

  it('is allowed with TLS and behind a proxy', () => {
    expect(resolve({ host: '0.0.0.0', behindProxy: true }).host).toBe('0.0.0.0');
    expect(resolve({ host: '::', tlsCert: 'a', tlsKey: 'b' }).host).toBe('::');
  });
});
