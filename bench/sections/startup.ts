import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openKeyring } from '../../test/support/keyring.ts';
import { copyDatabase, openDatabase, startPetstore } from '../databases.ts';
import type { Effort } from '../load.ts';
import { builds, type Command, cleanEnvironment, timeCommands } from '../programs.ts';
import { median, pairedRatio, type Row } from '../report.ts';

const standalone = path.resolve(import.meta.dirname, '../../binary/out/petstore');

/** What each command takes over bare node, gh and the build before, all at one service on loopback. */
export async function measure({ runs }: Effort): Promise<Row[]> {
  const [build] = builds;
  if (build === undefined) throw new Error('Nothing to measure.');
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  const database = copyDatabase(openDatabase(build, 1_000));
  const service = await startPetstore(build, database);
  const keyring = await openKeyring();
  try {
    const desk = { folder, url: service.url, key: database.key, keyring: { ...keyring.variables } };
    const commands = listCommands(desk);
    return describeRows(timeCommands(commands, runs));
  } finally {
    await keyring.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Desk {
  readonly folder: string;
  readonly url: string;
  readonly key: string;
  readonly keyring: Record<string, string>;
}

function listCommands(desk: Desk): Command[] {
  const { folder, url, key } = desk;
  const empty = path.join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const authorization = `Authorization: Bearer ${key}`;
  return [
    { name: 'node', words: [process.execPath, empty] },
    ...builds.flatMap(({ name, program }) => listOf(name, [process.execPath, program], desk)),
    ...(existsSync(standalone) ? listOf('standalone', [standalone], desk) : []),
    { name: 'curl', words: ['curl', '-sf', '-H', authorization, `${url}/pets?limit=20`] },
    ...(spawnSync('gh', ['--version']).status === 0 ? [describeGh(desk, authorization)] : []),
  ];
}

/** A build's commands, with files of its own; the key in a variable, and once only in the keyring. */
function listOf(name: string, words: readonly string[], desk: Desk): Command[] {
  const folder = path.join(desk.folder, name);
  const folders = ['CONFIG', 'STATE', 'DATA', 'CACHE'].map((kind) => [
    `XDG_${kind}_HOME`,
    path.join(folder, kind.toLowerCase()),
  ]);
  for (const [, own = ''] of folders) mkdirSync(own, { recursive: true });
  const variables = { ...Object.fromEntries(folders), PETSTORE_STAGING_URL: desk.url };
  const withKey = { ...variables, PETSTORE_API_KEY: desk.key };
  logIn(words, { ...variables, ...desk.keyring }, desk.key);
  const add = ['add', 'Rex', '--category', '7', '--json'];
  return [
    { name: `${name} --version`, words: [...words, '--version'], variables },
    { name: `${name} --help`, words: [...words, '--help'], variables },
    { name: `${name} list`, words: [...words, 'list', '--json'], variables: withKey },
    { name: `${name} add`, words: [...words, ...add], variables: withKey },
    {
      name: `${name} list, keyring`,
      words: [...words, 'list', '--json'],
      variables: { ...variables, ...desk.keyring },
    },
  ];
}

/** Stores the key in the keyring as a person would. */
function logIn(words: readonly string[], variables: Record<string, string>, input: string): void {
  const [command = '', ...rest] = [...words, 'login', '-e', 'staging', '--key-stdin'];
  execFileSync(command, rest, { input, env: cleanEnvironment(variables), stdio: 'pipe' });
}

/** gh speaks plain http to github.localhost only: the service stands there as gh's proxy, which costs gh nothing more. */
function describeGh({ folder, url }: Desk, authorization: string): Command {
  return {
    name: 'gh',
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

function describeRows(taken: ReadonlyMap<string, readonly number[]>): Row[] {
  const compare = (name: string, other: string, atMost?: number): Row[] => {
    const [ours, theirs] = [taken.get(name), taken.get(other)];
    if (ours === undefined || theirs === undefined) return [];
    return [
      {
        what: `${name} over ${other}`,
        figure: pairedRatio(ours, theirs),
        unit: 'x',
        goal: atMost === undefined ? undefined : { atMost },
        measured: { [`${name} ms`]: median(ours), [`${other} ms`]: median(theirs) },
      },
    ];
  };
  return [
    ...compare('ours --version', 'node'),
    ...compare('ours --help', 'node'),
    ...compare('ours list', 'before list', 1.1),
    ...compare('ours list', 'gh', 1.35),
    ...compare('ours list', 'node'),
    ...compare('ours list', 'curl'),
    ...compare('ours list, keyring', 'before list, keyring', 1.25),
    ...compare('ours list, keyring', 'ours list'),
    ...compare('ours add', 'before add'),
    ...compare('ours add', 'ours list'),
    ...compare('standalone list', 'gh', 0.6),
    ...compare('standalone list', 'curl'),
    ...compare('standalone list, keyring', 'standalone list'),
  ];
}
