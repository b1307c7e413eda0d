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
import { isLinux, skipUnless } from './system.ts';

const run = promisify(execFile);

/** A PostgreSQL server of the tests' own in a temporary folder. */
export interface PostgresCluster {
  /** Connects as the superuser to the database `postgres`. */
  readonly url: string;
  /** Stops at once, as a crash would. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes the folder. */
  close(): Promise<void>;
}

/** Starts a server; `close` it. */
export async function openPostgresCluster(): Promise<PostgresCluster> {
  const node = await createPostgresNode();
  try {
    const password = await node.initialize();
    await node.start();
    return {
      url: formatUrl(node.port, password),
      start: node.start,
      stop: () => node.control('stop', '-m', 'immediate'),
      close: node.close,
    };
  } catch (cause) {
    const log = await readFile(path.join(node.folder, 'log'), 'utf8').catch(() => '');
    await node.close();
    throw new Error(`PostgreSQL did not start\n${log}`, { cause });
  }
}

export function formatUrl(port: number, password: string): string {
  return `postgres://petstore:${password}@127.0.0.1:${port}/postgres`;
}

/** A place for one server: a folder, a port, and the programs that work on it. */
export interface PostgresNode {
  readonly folder: string;
  /** In the folder. */
  readonly data: string;
  readonly port: number;
  /** Runs one of PostgreSQL's programs as the server's user. */
  run(program: string, ...words: readonly string[]): Promise<void>;
  /** Runs pg_ctl. */
  control(...words: readonly string[]): Promise<void>;
  /** Adds lines to postgresql.conf. */
  configure(...lines: readonly string[]): Promise<void>;
  /** Creates the data. Returns the password of the superuser `petstore`. */
  initialize(): Promise<string>;
  start(): Promise<void>;
  /** Stops the server and removes the folder. */
  close(): Promise<void>;
}

export async function createPostgresNode(): Promise<PostgresNode> {
  skipUnless(isLinux, 'PostgreSQL');
  const programs = findServerPrograms();
  const owner = await findOwner();
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-postgres-'));
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  const guard = startGuard(programs, folder, owner);
  const data = path.join(folder, 'data');
  const port = await findFreePort();
  const runProgram: PostgresNode['run'] = async (program, ...words) =>
    void (await run(path.join(programs, program), words, { ...owner, cwd: '/' }));
  const control: PostgresNode['control'] = (...words) =>
    runProgram('pg_ctl', '-D', data, '-w', '-s', ...words);
  const configure: PostgresNode['configure'] = (...lines) =>
    appendFile(path.join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  return {
    ...{ folder, data, port, run: runProgram, control, configure },
    async initialize() {
      const password = randomBytes(12).toString('hex');
      const file = path.join(folder, 'password');
      await writeFile(file, password);
      const storage = ['-D', data, '-E', 'UTF8', '--locale=C', '--no-sync'];
      const access = ['-U', 'petstore', '--auth=scram-sha-256', `--pwfile=${file}`];
      await runProgram('initdb', ...storage, ...access);
      await rm(file);
      await configure(...settings, `port = ${port}`);
      return password;
    },
    start: () => control('start', '-l', path.join(folder, 'log')),
    close: () => release(guard),
  };
}

/** Fast: what a killed server has written is with the system, synced or not. */
const settings = [
  "listen_addresses = '127.0.0.1'",
  // A socket's lock file, left by a kill, would prevent a start on the same port.
  "unix_socket_directories = ''",
  'shared_buffers = 64MB',
  'max_connections = 100',
  'dynamic_shared_memory_type = mmap',
  'fsync = off',
  'full_page_writes = off',
] as const;

/** The folder of the newest server programs, which Debian does not put on PATH. */
function findServerPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const folders = (existsSync(debian) ? readdirSync(debian) : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(debian, version, 'bin'))
    .concat((process.env.PATH ?? '').split(path.delimiter));
  const found = folders.find((folder) => existsSync(path.join(folder, 'initdb')));
  if (found === undefined) throw new Error('no PostgreSQL server here: run scripts/test-tools.sh');
  return found;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as the user of Debian's package. */
async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const read = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await read('-u'), gid: await read('-g') };
}

/**
 * Waits for its standard input to end, which it does however this process dies, then stops the server, also a frozen one,
 * and removes the folder. In a process group of its own, or Ctrl-C would end it first.
 */
function startGuard(programs: string, folder: string, owner?: Owner): ChildProcess {
  return spawn('/bin/sh', ['-c', guardScript, 'guard', programs, folder], {
    ...owner,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

/** What initdb and the server still write comes between the steps of `rm`. */
const guardScript = `
  cat >/dev/null
  kill -CONT "$(head -n 1 "$2/data/postmaster.pid")"
  "$1/pg_ctl" -D "$2/data" -s -m immediate stop
  for attempt in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$2" && exit; sleep 1; done`;

/** Ends a guard, and with it its server. */
async function release(guard: ChildProcess): Promise<void> {
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
