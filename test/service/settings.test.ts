import { expect, it } from 'vitest';
import { parseServeSettings } from '../../src/service/settings.ts';

const parse = (flags: Record<string, unknown>, variables: Record<string, string> = {}) =>
  parseServeSettings({ flags, variables });

it('has defaults for everything', () => {
  expect(parse({})).toEqual({
    ...{ host: '127.0.0.1', port: 8080, seed: false, behindProxy: false, docs: true },
    logLevel: 'info',
  });
});

it('takes a flag before a variable, and a variable before the default', () => {
  const variables = { PETSTORE_SERVE_PORT: '9001', PETSTORE_SERVE_HOST: '' };
  expect(parse({ port: '9000' }, variables)).toMatchObject({ port: 9000, host: '127.0.0.1' });
  expect(parse({}, variables)).toMatchObject({ port: 9001 });
});

it('reads every setting from its variable', () => {
  const variables = {
    PETSTORE_SERVE_HOST: '0.0.0.0',
    PETSTORE_SERVE_DATABASE: 'sqlite:a.db',
    PETSTORE_SERVE_AS_OF: '2030-12-06',
    PETSTORE_SERVE_BEHIND_PROXY: 'true',
    PETSTORE_SERVE_METRICS_PORT: '0',
    PETSTORE_SERVE_DOCS: 'false',
    PETSTORE_SERVE_LOG_LEVEL: 'warn',
  };
  expect(parse({}, variables)).toMatchObject({
    ...{ host: '0.0.0.0', database: 'sqlite:a.db', behindProxy: true, metricsPort: 0 },
    ...{ asOf: new Date('2030-12-06T00:00:00Z'), docs: false, logLevel: 'warn' },
  });
});

it.each<[Record<string, unknown>, RegExp]>([
  [{ port: '65536' }, /^--port must be a port from 0 to 65535, not "65536"\.$/],
  [{ port: 'http' }, /^--port must be a port/],
  [{ port: '-1' }, /^--port must be a port/],
  [{ metricsPort: 'x' }, /^--metrics-port must be a port/],
  [{ metricsPort: '8080' }, /^--port and --metrics-port are the same/],
  [{ logLevel: 'loud' }, /^--log-level must be one of debug, info/],
  [{ asOf: 'tomorrow' }, /^--as-of must be a date such as/],
  [{ asOf: '2030-02-30' }, /^--as-of must be a date/],
  [{ host: '' }, /^--host must have a value, not ""\./],
  [{ tlsCert: 'a.pem' }, /^--tls-cert and --tls-key belong together/],
  [{ tlsKey: 'a.pem' }, /^--tls-cert and --tls-key belong together/],
  [{ host: '0.0.0.0' }, /^Anybody on the network could read API keys/],
  [{ host: '127.0.0.1.example.com' }, /^Anybody on the network/],
  [{ host: '0.0.0.0', behindProxy: true, seed: true }, /^--seed .* works on 127\.0\.0\.1 only/],
])('refuses %j in words', (flags, message) => {
  expect(() => parse(flags)).toThrow(message);
});

it('takes a free port for each of two that are 0', () => {
  expect(parse({ port: '0', metricsPort: '0' })).toMatchObject({ port: 0, metricsPort: 0 });
});

it('names the variable that a bad value came from', () => {
  expect(() => parse({}, { PETSTORE_SERVE_PORT: 'x' })).toThrow(/^PETSTORE_SERVE_PORT must be/);
});

it.each([
  ['PETSTORE_SERVE_PROT', ' Did you mean PETSTORE_SERVE_PORT?'],
  ['PETSTORE_SERVE_METRICSPORT', ' Did you mean PETSTORE_SERVE_METRICS_PORT?'],
  ['PETSTORE_SERVE_DB', ''],
])('refuses %s, which is not a setting, and names one that is near', (name, nearest) => {
  expect(() => parse({}, { [name]: '1' })).toThrow(`${name} is not a setting of serve.${nearest}`);
});

it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('%s is this machine', (host) => {
  expect(parse({ host, seed: true })).toMatchObject({ host });
});

it.each([{ tlsCert: 'a.pem', tlsKey: 'b.pem' }, { behindProxy: true }])(
  'listens on any address with %j',
  (flags) => {
    expect(parse({ host: '0.0.0.0', ...flags })).toMatchObject({ host: '0.0.0.0' });
  },
);
