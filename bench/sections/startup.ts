import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canOpenKeyring, openKeyring } from '../../test/support/keyring.ts';
import { openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { cleanEnvironment } from '../environment.ts';
import { firstPage } from '../loads.ts';
import { type Command, measureCommands, type Taken } from '../measure-commands.ts';
import { isOnPath } from '../on-path.ts';
import { program } from '../program.ts';
import type { Row } from '../report.ts';
import { startLimit, startPetstore } from '../servers.ts';
import { median, pairedRatio } from '../statistics.ts';

/** What each command takes over what bare `node` takes on an empty file, and over gh and curl on the same bytes. */
export async function measure({ runs }: Effort): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  const service = await startPetstore(await openDatabase(1_000));
  const { key } = await openDatabase(1_000);
  const [request = { path: '' }] = firstPage;
  const limit = await startLimit(service, { request, key });
  const keyring = canOpenKeyring ? await openKeyring() : undefined;
  try {
    const petstore = describePetstore(folder, limit.url);
    if (keyring !== undefined) logIn(petstore.variables, keyring.env, key);
    const commands = listCommands(folder, petstore, limit.url, keyring?.env);
    return describeRows(measureCommands(commands, runs));
  } finally {
    await keyring?.stop();
    await Promise.all([service.stop(), limit.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Petstore {
  readonly words: readonly string[];
  readonly variables: Record<string, string>;
}

function describePetstore(folder: string, url: string): Petstore {
  return {
    words: [process.execPath, program],
    variables: {
      XDG_CONFIG_HOME: folder,
      XDG_STATE_HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CACHE_HOME: folder,
      PETSTORE_STAGING_URL: url,
    },
  };
}

/** Stores a key in the keyring as a person would. */
function logIn(
  variables: Record<string, string>,
  session: Record<string, string>,
  key: string,
): void {
  execFileSync(process.execPath, [program, 'auth', 'login', '--key-stdin', '--no-verify'], {
    input: key,
    env: cleanEnvironment({ ...variables, ...session }),
    stdio: 'pipe',
  });
}

function listCommands(
  folder: string,
  { words, variables }: Petstore,
  url: string,
  session: Record<string, string> | undefined,
): Command[] {
  const empty = path.join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const list = [...words, 'list', '--json'];
  const withKey = { ...variables, PETSTORE_API_KEY: 'pst_bench' };
  const page = `${url}/pets?limit=20`;
  return [
    { name: 'node', words: [process.execPath, empty] },
    { name: '--version', words: [...words, '--version'], variables },
    { name: '--help', words: [...words, '--help'], variables },
    { name: 'list --json', words: list, variables: withKey },
    ...(session
      ? [{ name: 'keychain', words: list, variables: { ...variables, ...session } }]
      : []),
    ...(isOnPath('gh') ? [describeGh(folder, url)] : []),
    ...describeStandalone(withKey),
    { name: 'curl', words: ['curl', '-sf', '-H', 'Authorization: Bearer pst_bench', page] },
  ];
}

/** The standalone program, once it was built: `npm run build:binary`. */
function describeStandalone(variables: Record<string, string>): Command[] {
  const file = path.resolve(import.meta.dirname, '../../binary/out/petstore');
  if (!existsSync(file)) return [];
  return [
    { name: 'standalone --version', words: [file, '--version'], variables },
    { name: 'standalone list --json', words: [file, 'list', '--json'], variables },
  ];
}

/**
 * gh speaks plain http to github.localhost. As that name is not known everywhere and its port 80 may be taken,
 * our server stands there as gh's proxy, which costs gh no more than a connection to its own host would.
 */
function describeGh(folder: string, url: string): Command {
  return {
    name: 'gh api',
    words: ['gh', 'api', 'http://api.github.localhost/v1/pets?limit=20'],
    variables: {
      GH_HOST: 'github.localhost',
      GH_TOKEN: 'bench',
      GH_CONFIG_DIR: folder,
      GH_NO_UPDATE_NOTIFIER: '1',
      HTTP_PROXY: new URL(url).origin,
    },
  };
}

function describeRows(taken: ReadonlyMap<string, readonly Taken[]>): Row[] {
  const compare = (name: string, other: string, goal?: number): Row[] => {
    const ours = taken.get(name);
    const theirs = taken.get(other);
    if (ours === undefined || theirs === undefined) return [];
    const pick = (rows: readonly Taken[], figure: 'wall' | 'cpu') => rows.map((row) => row[figure]);
    return [
      {
        what: name === 'keychain' ? 'list --json, key from the keychain' : name,
        figure: pairedRatio(pick(ours, 'wall'), pick(theirs, 'wall')),
        unit: `x ${other}`,
        ...(goal === undefined ? {} : { goal: { atMost: goal } }),
        measured: {
          ms: median(pick(ours, 'wall')),
          [`${other} ms`]: median(pick(theirs, 'wall')),
          'by cpu time': pairedRatio(pick(ours, 'cpu'), pick(theirs, 'cpu')),
          'peak MB': median(ours.map(({ peak }) => peak)) / 1024,
        },
      },
    ];
  };
  const hasGh = taken.has('gh api');
  return [
    ...compare('--version', 'node', 1.4),
    ...compare('--help', 'node', 1.4),
    ...compare('list --json', 'gh api', 1.2),
    ...compare('list --json', 'node', hasGh ? undefined : 3.5),
    ...compare('list --json', 'curl'),
    ...compare('standalone list --json', 'curl', 2),
    ...compare('standalone --version', 'curl'),
    ...compare('keychain', 'node'),
    ...compare('gh api', 'node'),
    ...compare('curl', 'node'),
  ];
}
