import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { portOf } from './http-server.ts';

const run = promisify(execFile);

/** A PostgreSQL server of the tests' own in a temporary folder. */
export interface PostgresCluster {
  /** Connects as the superuser to the database `postgres`. */
  readonly url: string;
  readonly folder: string;
  /** Stops at once, as a crash would. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes the folder. */
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root: then it runs as the user of Debian's package. */
export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts a server; `close` it. @param settings further lines of postgresql.conf */
export async function openPostgresCluster(
  settings: readonly string[] = [],
): Promise<PostgresCluster> {
  const programs = findServerPrograms();
  const owner = await findOwner();
  const folder = await createServerFolder(owner);
  const guard = startGuard(programs, folder, owner);
  const data = path.join(folder, 'data');
  const port = await findFreePort();
  const control = (...words: string[]) =>
    runAs(owner, path.join(programs, 'pg_ctl'), ['-D', data, '-w', '-s', ...words]);
  const start = () => control('start', '-l', path.join(folder, 'log'));
  try {
    const password = await initialize({ programs, folder, data, owner });
    await appendFile(path.join(data, 'postgresql.conf'), describeSettings(port, settings));
    await start();
    return {
      url: `postgres://petstore:${password}@127.0.0.1:${port}/postgres`,
      folder,
      start,
      stop: () => control('stop', '-m', 'immediate'),
      close: () => release(guard),
    };
  } catch (cause) {
    const log = await readFile(path.join(folder, 'log'), 'utf8').catch(() => '');
    await release(guard);
    throw new Error(`PostgreSQL did not start\n${log}`, { cause });
  }
}

/** The folder of the newest server programs, which Debian does not put on PATH. */
export function findServerPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const folders = (existsSync(debian) ? readdirSync(debian) : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(debian, version, 'bin'))
    .concat((process.env.PATH ?? '').split(path.delimiter));
  const found = folders.find((folder) => existsSync(path.join(folder, 'initdb')));
  if (found === undefined) throw new Error('no PostgreSQL server here: run scripts/test-tools.sh');
  return found;
}

export async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const read = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await read('-u'), gid: await read('-g') };
}

/** A temporary folder that belongs to the server's user. */
export async function createServerFolder({ uid, gid }: Owner): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-postgres-'));
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  return folder;
}

interface ClusterFiles {
  readonly programs: string;
  readonly folder: string;
  readonly data: string;
  readonly owner: Owner;
}

/** Creates the data folder. Returns the password of the superuser `petstore`. */
export async function initialize({ programs, folder, data, owner }: ClusterFiles): Promise<string> {
  const password = randomBytes(12).toString('hex');
  const passwordFile = path.join(folder, 'password');
  await writeFile(passwordFile, password);
  await runAs(owner, path.join(programs, 'initdb'), [
    ...['-D', data, '-U', 'petstore', '-E', 'UTF8', '--locale=C', '--no-sync'],
    ...['--auth=scram-sha-256', `--pwfile=${passwordFile}`],
  ]);
  await rm(passwordFile);
  return password;
}

/** Fast: what a killed server has written is with the system, synced or not. */
export function describeSettings(port: number, settings: readonly string[]): string {
  return [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    // A socket's lock file, left by a kill, would prevent a start on the same port.
    "unix_socket_directories = ''",
    'shared_buffers = 64MB',
    'max_connections = 100',
    'dynamic_shared_memory_type = mmap',
    'fsync = off',
    'full_page_writes = off',
    ...settings,
    '',
  ].join('\n');
}

export async function runAs(
  owner: Owner,
  file: string,
  words: string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  await run(file, words, { ...owner, cwd: '/', env: { ...process.env, ...variables } });
}

/**
 * Waits for its standard input to end, which it does however this process dies, then stops the server and removes the
 * folder. In a process group of its own, or Ctrl-C would end it first.
 */
export function startGuard(programs: string, folder: string, owner: Owner): ChildProcess {
  const script =
    'cat >/dev/null; "$1/pg_ctl" -D "$2/data" -s -m immediate stop 2>/dev/null; rm -rf "$2"';
  return spawn('/bin/sh', ['-c', script, 'guard', programs, folder], {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

/** Ends a guard, and with it its server. */
export async function release(guard: ChildProcess): Promise<void> {
  if (guard.exitCode !== null) return;
  const exited = once(guard, 'exit');
  guard.stdin?.end();
  await exited;
}

/** A port for a program that cannot choose one itself. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
