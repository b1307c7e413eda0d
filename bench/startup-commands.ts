import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Keyring } from '../test/support/keyring.ts';
import { cleanEnvironment } from './environment.ts';
import type { Command } from './measure-commands.ts';
import { isOnPath } from './on-path.ts';
import { program } from './program.ts';
import { buildUndiciAlone } from './undici-alone.ts';

/** Where the commands find the service and its key: the key in a variable, and, where there is a keyring, only in that. */
export interface Desk {
  readonly folder: string;
  /** Ends in `/v1`. */
  readonly url: string;
  readonly key: string;
  readonly keyring: Keyring | undefined;
}

/** The standalone program, once it was built: `npm run build:binary`. */
const standalone = path.resolve(import.meta.dirname, '../binary/out/petstore');

const keychainChild = path.resolve(import.meta.dirname, '../dist/config/keys/keychain-child.cjs');

const add = ['add', 'Rex', '--category', '7', '--json'];

/** What is measured of each program, by the names of its commands. */
const lines: readonly (readonly [string, readonly string[]])[] = [
  ['list --json', ['list', '--json']],
  ['add --json', add],
  ['add --json --no-history', [...add, '--no-history']],
];

/** Everything that is started, in the order of a round: what is compared with each other stands close together. */
export async function listCommands(desk: Desk): Promise<Command[]> {
  const { folder, url, key } = desk;
  const variables = describeVariables(desk);
  const empty = path.join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const node = [process.execPath, program];
  const authorization = `Authorization: Bearer ${key}`;
  return [
    { name: 'node', words: [process.execPath, empty] },
    { name: '--version', words: [...node, '--version'], variables },
    { name: '--help', words: [...node, '--help'], variables },
    ...describeBefore(desk),
    ...describeLines('', node, desk),
    ...(isOnPath('gh') ? [describeGh(desk, authorization)] : []),
    await describeUndici(desk),
    ...(existsSync(standalone) ? describeLines('standalone ', [standalone], desk) : []),
    { name: 'curl', words: ['curl', '-sf', '-H', authorization, `${url}/pets?limit=20`] },
    ...(desk.keyring ? [describeSecretTool(desk), describeChild(desk)] : []),
  ];
}

/** Each line with the key in a variable, then with the key in the keychain. */
function describeLines(prefix: string, words: readonly string[], desk: Desk): Command[] {
  const variables = describeVariables(desk);
  const { keyring, key } = desk;
  return lines.flatMap(([name, line]) => [
    {
      name: `${prefix}${name}`,
      words: [...words, ...line],
      variables: { ...variables, PETSTORE_API_KEY: key },
    },
    ...(keyring
      ? [
          {
            name: `${prefix}${name}, keychain`,
            words: [...words, ...line],
            variables: { ...variables, ...keyring.env },
          },
        ]
      : []),
  ]);
}

/** An add by the build that PETSTORE_BENCH_AGAINST names, with files of its own. */
function describeBefore(desk: Desk): Command[] {
  const checkout = process.env.PETSTORE_BENCH_AGAINST;
  if (checkout === undefined) return [];
  const variables = describeVariables({ ...desk, folder: path.join(desk.folder, 'before') });
  return [
    {
      name: 'add --json before',
      words: [process.execPath, path.join(checkout, 'bin/petstore.js'), ...add],
      variables: { ...variables, PETSTORE_API_KEY: desk.key },
    },
  ];
}

function describeVariables({ folder, url }: Desk): Record<string, string> {
  // Of their own, as at a person's: a file that comes and goes in one folder costs the next sync of it.
  return {
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    PETSTORE_STAGING_URL: url,
  };
}

/** Stores the key in the keyring as a person would. */
export function logIn(desk: Desk): void {
  execFileSync(process.execPath, [program, 'auth', 'login', '--key-stdin', '--no-verify'], {
    input: desk.key,
    env: cleanEnvironment({ ...describeVariables(desk), ...desk.keyring?.env }),
    stdio: 'pipe',
  });
}

/**
 * gh speaks plain http to github.localhost. As that name is not known everywhere and its port 80 may be taken,
 * the service stands there as gh's proxy, which costs gh no more than a connection to its own host would.
 */
function describeGh({ folder, url }: Desk, authorization: string): Command {
  return {
    name: 'gh api',
    words: ['gh', 'api', '-H', authorization, 'http://api.github.localhost/v1/pets?limit=20'],
    variables: {
      GH_HOST: 'github.localhost',
      GH_TOKEN: 'bench',
      GH_CONFIG_DIR: folder,
      GH_NO_UPDATE_NOTIFIER: '1',
      HTTP_PROXY: new URL(url).origin,
    },
  };
}

/** What no list can be faster than. */
async function describeUndici({ url, key }: Desk): Promise<Command> {
  const page = `${url}/pets?limit=20`;
  return {
    name: 'undici alone',
    words: [process.execPath, await buildUndiciAlone(page, key), page],
    variables: { PETSTORE_API_KEY: key },
  };
}

/** What no key from the keychain comes sooner than: the child process by itself, which is asked at once. */
function describeChild({ url, keyring }: Desk): Command {
  return {
    name: 'keychain child alone',
    words: [process.execPath, keychainChild],
    variables: { ...keyring?.env },
    input: JSON.stringify({
      call: 'get',
      service: 'petstore-cli',
      account: accountOf(url),
      timeLimit: 3_000,
    }),
  };
}

/** Reads the same key from the same keyring, and does nothing else. */
function describeSecretTool({ url, keyring }: Desk): Command {
  const attributes = ['service', 'petstore-cli', 'account', accountOf(url)];
  return {
    name: 'secret-tool lookup',
    words: ['secret-tool', 'lookup', ...attributes],
    variables: { ...keyring?.env },
  };
}

function accountOf(url: string): string {
  return `staging@${new URL(url).origin}`;
}
