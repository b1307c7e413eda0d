import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';

const run = promisify(execFile);

/** A PostgreSQL server of our own in a temporary folder. */
export interface PostgresCluster {
  /** Connects as the superuser to the database `postgres`. */
  readonly url: string;
  readonly folder: string;
  /** Stops at once, as a crash would, and starts again on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes the folder. */
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** Sync commits to the disk; without it they are fast and a power cut may lose them. */
  readonly durable?: boolean;
  /** Further lines of postgresql.conf. */
  readonly settings?: readonly string[];
  /** Further variables of the server's environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** PEM files by which the server offers TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** The folder of the newest server programs, which Debian keeps off PATH; undefined where there are none. */
export function findServerPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(debian, version, 'bin'))
    .concat((process.env.PATH ?? '').split(path.delimiter));
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')));
}

/**
 * Why tests on PostgreSQL cannot run here; undefined when they can.
 * @throws when CI is true: there a missing server is a failure, never a skip.
 */
export function findPostgresObstacle(): string | undefined {
  if (process.env.PETSTORE_TEST_POSTGRES_URL || findServerPrograms() !== undefined)
    return undefined;
  const reason =
    'no PostgreSQL server: install one (Debian: postgresql) or set PETSTORE_TEST_POSTGRES_URL';
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

/** Starts a server of its own; `close` it. */
export async function openPostgresCluster(options: ClusterOptions = {}): Promise<PostgresCluster> {
  const programs = findServerPrograms();
  if (programs === undefined) throw new Error('no PostgreSQL server programs here');
  const owner = await findOwner();
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) {
    await chown(folder, owner.uid, owner.gid);
  }
  const guard = startGuard(programs, folder, owner);
  try {
    const password = randomBytes(12).toString('hex');
    const port = await findFreePort();
    const data = path.join(folder, 'data');
    await initialize(programs, { folder, data, password, owner });
    await appendFile(path.join(data, 'postgresql.conf'), describeSettings(port, folder, options));
    if (options.tls) await installTls(data, options.tls, owner);
    const control = (...args: string[]) =>
      runAs(owner, programs, 'pg_ctl', ['-D', data, ...args], options.variables);
    const start = () => control('start', '-w', '-s', '-l', path.join(folder, 'log'));
    const stop = () => control('stop', '-w', '-s', '-m', 'immediate');
    await start();
    return {
      url: `postgres://petstore:${password}@127.0.0.1:${port}/postgres`,
      folder,
      start,
      stop,
      restart: async () => {
        await stop();
        await start();
      },
      close: () => release(guard),
    };
  } catch (error) {
    const log = await readFile(path.join(folder, 'log'), 'utf8').catch(() => '');
    await release(guard);
    throw new Error(`PostgreSQL did not start\n${log}`, { cause: error });
  }
}

interface ClusterFiles {
  folder: string;
  data: string;
  password: string;
  owner: Owner;
}

export async function initialize(
  programs: string,
  { folder, data, password, owner }: ClusterFiles,
) {
  const passwordFile = path.join(folder, 'password');
  await writeFile(passwordFile, password);
  await runAs(owner, programs, 'initdb', [
    ...['-D', data, '-U', 'petstore', '-E', 'UTF8', '--locale=C', '--no-sync'],
    ...['--auth=scram-sha-256', `--pwfile=${passwordFile}`],
  ]);
  await rm(passwordFile);
}

/** A file in its folder, which is removed with it though the server was killed. */
export const sharedMemory = 'dynamic_shared_memory_type = mmap';

function describeSettings(port: number, folder: string, { durable, settings }: ClusterOptions) {
  const fast = ['fsync = off', 'full_page_writes = off'];
  return [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    'shared_buffers = 64MB',
    'max_connections = 200',
    sharedMemory,
    ...(durable ? [] : fast),
    ...(settings ?? []),
    '',
  ].join('\n');
}

/** The server insists that its key is its own and nobody else's. */
async function installTls(data: string, tls: NonNullable<ClusterOptions['tls']>, owner: Owner) {
  for (const [name, source] of [
    ['server.crt', tls.cert],
    ['server.key', tls.key],
  ] as const) {
    const file = path.join(data, name);
    await writeFile(file, await readFile(source), { mode: 0o600 });
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(file, owner.uid, owner.gid);
  }
  await appendFile(path.join(data, 'postgresql.conf'), 'ssl = on\n');
}

/** The server refuses to run as root: then it runs as the user of Debian's package. */
export async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all([
    run('id', ['-u', 'postgres']),
    run('id', ['-g', 'postgres']),
  ]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

export async function runAs(
  owner: Owner,
  programs: string,
  program: string,
  args: string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const env = { ...process.env, ...variables };
  await run(path.join(programs, program), args, { ...owner, cwd: '/', env });
}

/**
 * Waits for its standard input to end, as it does however this process dies, then stops the server and removes the
 * folder. In a process group of its own, or Ctrl-C would end it first.
 */
export function startGuard(programs: string, folder: string, owner: Owner): ChildProcess {
  // A killed server leaves the shared memory by which a second one would notice it; line 7 names its key and its id.
  const memory = `$(sed -n '7s/.* //p' "$2/data/postmaster.pid")`;
  const script = `cat >/dev/null; "$1/pg_ctl" -D "$2/data" -s -m immediate stop || ipcrm -m "${memory}"; rm -rf "$2"`;
  return spawn('/bin/sh', ['-c', script, 'guard', programs, folder], {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

export async function release(guard: ChildProcess): Promise<void> {
  if (guard.exitCode !== null) return;
  const exited = once(guard, 'exit');
  guard.stdin?.end();
  await exited;
}
