import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import * as v from 'valibot';
import { findLastingPort } from './free-port.ts';
import {
  findOwner,
  findServerPrograms,
  initialize,
  type Owner,
  release,
  runAs,
  sharedMemory,
  startGuard,
} from './postgres-cluster.ts';
import { waitFor } from './wait-for.ts';

/** A primary and its synchronous streaming replica. What each function does is what an operator would. */
export interface PostgresPair {
  readonly ports: readonly [number, number];
  /** Of the superuser `petstore`. */
  readonly password: string;
  /** Runs statements at the primary. */
  execute(sql: string, database?: string): Promise<void>;
  /** Ends every process of the primary at once, as a power cut would. */
  killPrimary(): Promise<void>;
  /** Stops the primary so that the replica has all it wrote. */
  stopPrimary(): Promise<void>;
  killReplica(): Promise<void>;
  /** Lets the primary's commits wait for no replica. */
  goWithoutReplica(): Promise<void>;
  /** Makes the replica the primary; it waits for no replica until it has one. */
  promote(): Promise<void>;
  /** Makes a replica of what was the primary: from a new copy, or from its own files when it was stopped in order. */
  addReplica(from: 'copy' | 'own files'): Promise<void>;
  close(): Promise<void>;
}

interface Node {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
}

interface Tools {
  readonly programs: string;
  readonly owner: Owner;
  readonly password: string;
}

/** Starts both servers in temporary folders; they end with this process. */
export async function openPostgresPair(): Promise<PostgresPair> {
  const programs = findServerPrograms();
  if (programs === undefined) throw new Error('no PostgreSQL server programs here');
  const tools = { programs, owner: await findOwner(), password: randomBytes(12).toString('hex') };
  let [primary, replica] = [await createNode(tools), await createNode(tools)];
  const ports = [primary.port, replica.port] as const;
  const guards = [primary, replica].map(({ folder }) => startGuard(programs, folder, tools.owner));
  const execute = (sql: string, database?: string) => runSql(tools, primary.port, sql, database);
  const goWithoutReplica = async () => {
    await execute("ALTER SYSTEM SET synchronous_standby_names = ''");
    await execute('SELECT pg_reload_conf()');
  };
  const addReplica = async (from: 'copy' | 'own files') => {
    if (from === 'copy') await copyPrimary(tools, primary, replica);
    else await followPrimary(tools, primary, replica);
    await startNode(tools, replica);
    await execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await execute('SELECT pg_reload_conf()');
    await waitFor(() => checkSynchronous(tools, primary.port));
  };
  await initialize(programs, { ...primary, ...tools });
  await appendFile(path.join(primary.data, 'postgresql.conf'), settings.join('\n'));
  await allowChecks(primary);
  await writeLocalSettings(tools, primary);
  await startNode(tools, primary);
  await execute('CREATE ROLE haproxy_check LOGIN');
  await addReplica('copy');
  return {
    ports,
    password: tools.password,
    execute,
    addReplica,
    killPrimary: () => killAll(primary),
    killReplica: () => killAll(replica),
    goWithoutReplica,
    stopPrimary: () => control(tools, primary, 'stop', '-m', 'fast'),
    async promote() {
      await control(tools, replica, 'promote');
      [primary, replica] = [replica, primary];
      await goWithoutReplica();
    },
    close: async () => {
      await Promise.all(guards.map(release));
    },
  };
}

const settings = [
  "include_if_exists = 'local.conf'",
  "listen_addresses = '127.0.0.1'",
  'shared_buffers = 64MB',
  'max_connections = 100',
  sharedMemory,
  'wal_level = replica',
  'synchronous_commit = on',
  // What a killed server has written is with the system, synced or not.
  'fsync = off',
  'wal_receiver_status_interval = 1s',
  '',
];

/** The first rule that fits counts; those of `initdb` already let a replica in. */
async function allowChecks({ data }: Node): Promise<void> {
  const file = path.join(data, 'pg_hba.conf');
  const rules = await readFile(file, 'utf8');
  await writeFile(file, `host postgres haproxy_check 127.0.0.1/32 trust\n${rules}`);
}

async function createNode({ owner }: Tools): Promise<Node> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-pair-'));
  const { uid, gid } = owner;
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  return { folder, data: path.join(folder, 'data'), port: await findLastingPort() };
}

/** What the two must not share, and a copy must not take over. */
async function writeLocalSettings({ owner }: Tools, { data, port }: Node): Promise<void> {
  const file = path.join(data, 'local.conf');
  // No local socket: its lock file, left by a kill, would keep the same port from being used again for a while.
  await writeFile(file, `port = ${port}\nunix_socket_directories = ''\n`);
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(file, owner.uid, owner.gid);
}

async function copyPrimary(tools: Tools, primary: Node, replica: Node): Promise<void> {
  await rm(replica.data, { recursive: true, force: true });
  await runAs(tools.owner, tools.programs, 'pg_basebackup', [
    '-D',
    replica.data,
    ...['-R', '--no-sync', '-c', 'fast'],
    '-d',
    describeConnection(tools, primary),
  ]);
  await writeLocalSettings(tools, replica);
}

/** Enough when the server was stopped in order and its replica promoted after that. */
async function followPrimary(tools: Tools, primary: Node, replica: Node): Promise<void> {
  const connection = `primary_conninfo = '${describeConnection(tools, primary)}'\n`;
  await appendFile(path.join(replica.data, 'postgresql.auto.conf'), connection);
  await writeFile(path.join(replica.data, 'standby.signal'), '');
}

function describeConnection({ password }: Tools, { port }: Node): string {
  return `host=127.0.0.1 port=${port} user=petstore password=${password}`;
}

async function control({ owner, programs }: Tools, node: Node, verb: string, ...args: string[]) {
  await runAs(owner, programs, 'pg_ctl', [verb, '-w', '-s', '-D', node.data, ...args]);
}

async function startNode(tools: Tools, node: Node): Promise<void> {
  const file = path.join(node.folder, 'log');
  try {
    await control(tools, node, 'start', '-l', file);
  } catch (error) {
    throw new Error(`PostgreSQL did not start\n${await readFile(file, 'utf8')}`, { cause: error });
  }
}

async function killAll({ data }: Node): Promise<void> {
  const [postmaster] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const pids = `${postmaster} ${children}`.trim().split(' ').map(Number);
  for (const pid of pids) killIfThere(pid);
  await rm(path.join(data, 'postmaster.pid'), { force: true });
}

/** A backend may have ended since it was listed. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function connect({ password }: Tools, port: number, database: string): Promise<Client> {
  const client = new Client({
    ...{ host: '127.0.0.1', port, user: 'petstore', password, database },
    // Whatever an operator does to the others must not stop the operator.
    options: '-c default_transaction_read_only=off',
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function runSql(tools: Tools, port: number, sql: string, database = 'postgres') {
  const client = await connect(tools, port, database);
  await client.query(sql).finally(() => client.end());
}

/** @throws until the primary has a replica that its commits wait for. */
async function checkSynchronous(tools: Tools, port: number): Promise<void> {
  const client = await connect(tools, port, 'postgres');
  const { rows } = await client
    .query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'")
    .finally(() => client.end());
  v.parse(v.pipe(v.array(v.unknown()), v.minLength(1)), rows);
}
