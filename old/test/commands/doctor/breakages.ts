import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { UserError } from '../../../src/errors.ts';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { portOf, startHttpServer } from '../../support/http-server.ts';
import type { RunOptions } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

export interface Finding {
  check: string;
  state: string;
  message: string;
  details: string[];
  next: string[];
}

interface Breakage extends RunOptions {
  env: Record<string, string>;
  /** The time of a line, where it matters. */
  clockOf?(line: string): Date;
  /** Earlier lines on this machine. */
  before?: readonly string[];
}

export interface Row {
  /** Breaks one thing on a machine whose production works. */
  open(): Promise<Breakage>;
  check: string;
  message: string | RegExp;
  details?: string | RegExp;
  next: readonly (string | RegExp)[];
  exit: number;
}

const certificates = path.resolve(import.meta.dirname, '../../support/certificates');
const read = (file: string) => readFileSync(path.join(certificates, file), 'utf8');

async function openProduction() {
  const service = await startService();
  onTestFinished(service.close);
  const env = {
    PETSTORE_PRODUCTION_URL: service.url,
    PETSTORE_PRODUCTION_API_KEY: service.key,
    PETSTORE_ENV: 'production',
  };
  return { service, env };
}

async function openTls(): Promise<Breakage> {
  const { env } = await openProduction();
  const options = { cert: read('first.crt.pem'), key: read('first.key.pem') };
  const server = createServer(options, (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { env: { ...env, PETSTORE_PRODUCTION_URL: `https://localhost:${portOf(server)}/v1` } };
}

async function openServer(status: number, headers: Record<string, string>, body = '') {
  const { env } = await openProduction();
  const { url } = await startHttpServer((_, response) =>
    response.writeHead(status, headers).end(body),
  );
  return { env: { ...env, PETSTORE_PRODUCTION_URL: url } };
}

const showProduction = 'petstore env show production --explain';
const login = 'petstore auth login --env production';

export const rows: Record<string, Row> = {
  'a locked keychain': {
    async open() {
      const { env } = await openProduction();
      const failure = new UserError('cli_keychain_locked', 'The OS keychain is locked');
      const keychain = createFakeKeychain({ failure });
      return { env: { ...env, PETSTORE_PRODUCTION_API_KEY: '' }, keychain };
    },
    check: 'key',
    message: 'The OS keychain is locked',
    next: ['export PETSTORE_PRODUCTION_API_KEY=…', `${login} --storage file`],
    exit: 4,
  },
  'a dead proxy': {
    async open() {
      const { env } = await openProduction();
      const proxy = { HTTPS_PROXY: 'http://127.0.0.1:9' };
      return { env: { ...env, ...proxy, PETSTORE_PRODUCTION_URL: 'https://pets.acme.test/v1' } };
    },
    check: 'service',
    message: /^production cannot be reached through the proxy http:\/\/127\.0\.0\.1:9: /,
    details: 'the proxy is named by HTTPS_PROXY; hosts in NO_PROXY are reached without it',
    next: [showProduction, 'export NO_PROXY=pets.acme.test'],
    exit: 8,
  },
  'an unknown certificate authority': {
    open: openTls,
    check: 'service',
    message: /the secure connection failed: self-signed certificate/,
    details: 'this machine does not know the authority that signed its certificate',
    next: ['export NODE_EXTRA_CA_CERTS=/path/to/authority.pem', showProduction],
    exit: 8,
  },
  'a redirect': {
    open: () => openServer(301, { location: 'https://new.acme.test/v1/pets?limit=1' }),
    check: 'service',
    message: /a redirect to https:\/\/new\.acme\.test\/v1\/pets/,
    next: ['petstore env set production --url https://new.acme.test/v1'],
    exit: 7,
  },
  'a redirect to a login page': {
    open: () => openServer(302, { location: '/login' }),
    check: 'service',
    message: /a redirect to \/login/,
    details: /something else responds at this URL/,
    next: [showProduction, 'petstore env set production --url https://pets.example.com/v1'],
    exit: 7,
  },
  'an HTML page': {
    open: () => openServer(200, { 'content-type': 'text/html' }, '<h1>Welcome</h1>'),
    check: 'service',
    message: /^production sent an unexpected response: text\/html, not JSON/,
    details: /something else responds at this URL/,
    next: [showProduction, 'petstore env set production --url https://pets.example.com/v1'],
    exit: 7,
  },
  'a clock that is behind': {
    open: async () => ({
      env: (await openProduction()).env,
      clock: () => new Date(Date.now() - 3_600_000),
    }),
    check: 'clock',
    message: /this machine's clock is 60 min behind the service$/,
    next: [/^(sudo timedatectl set-ntp true|sudo sntp -sS time\.apple\.com|w32tm \/resync)$/],
    exit: 2,
  },
  'a clock that is off, seen without a key': {
    open: async () => ({
      env: { ...(await openProduction()).env, PETSTORE_PRODUCTION_API_KEY: '' },
      clock: () => new Date(Date.now() + 3_600_000),
    }),
    check: 'clock',
    message: /this machine's clock is 60 min ahead of the service$/,
    next: [/./],
    exit: 4,
  },
  'a key for another URL': {
    async open() {
      const { env, service } = await openProduction();
      const keychain = createFakeKeychain();
      const former = 'https://old.acme.test/v1';
      return {
        env: { ...env, PETSTORE_PRODUCTION_URL: '', PETSTORE_PRODUCTION_API_KEY: '' },
        keychain,
        stdin: service.key,
        before: [
          `env set production --url ${former}`,
          'auth login --key-stdin --no-verify',
          `env set production --url ${service.url}`,
        ],
      };
    },
    check: 'key',
    message: 'The key of production is for another URL',
    details: /for https:\/\/old\.acme\.test\/v1/,
    next: [login, 'petstore env set production --url https://old.acme.test/v1'],
    exit: 4,
  },
  'an expired key, of which this machine knows nothing': {
    async open() {
      const { env, service } = await openProduction();
      const [createdAt, expiresAt] = [
        new Date(Date.now() - 7_200_000),
        new Date(Date.now() - 1000),
      ];
      const { key } = await issueKey(service.store, { name: 'till', createdAt, expiresAt });
      return {
        env: { ...env, PETSTORE_PRODUCTION_API_KEY: '' },
        keychain: createFakeKeychain(),
        stdin: key,
        before: ['auth login --key-stdin --no-verify'],
      };
    },
    check: 'service',
    message: 'The API key for production was not accepted.',
    next: [login],
    exit: 4,
  },
  'an expired key': {
    async open() {
      const { env, service } = await openProduction();
      const createdAt = new Date();
      const expiresAt = new Date(createdAt.getTime() + 1_800_000);
      const { key } = await issueKey(service.store, { name: 'till', createdAt, expiresAt });
      const later = (line: string) =>
        new Date(createdAt.getTime() + (line.startsWith('doctor') ? 5_400_000 : 0));
      return {
        env: { ...env, PETSTORE_PRODUCTION_API_KEY: '' },
        keychain: createFakeKeychain(),
        stdin: key,
        before: ['auth login --key-stdin'],
        clockOf: later,
      };
    },
    check: 'key',
    message: 'The API key for production expired 1 h ago',
    next: [login],
    exit: 4,
  },
};
