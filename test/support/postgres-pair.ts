import { once } from 'node:events';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { portOf } from './http-server.ts';
import {
  createServerFolder,
  describeSettings,
  findFreePort,
  findOwner,
  findServerPrograms,
  initialize,
  type Owner,
  release,
  runAs,
  startGuard,
} from './postgres-cluster.ts';
import { execute } from './postgres-database.ts';
import { waitFor } from './wait-for.ts';

/** A primary and a synchronous replica behind one address. What each function does is what an operator would. */
export interface PostgresPair {
  /** Leads to the primary, whichever that is. */
  readonly url: string;
  /** Runs statements at the primary. */
  execute(sql: string): Promise<void>;
  /** Ends every process of the primary at once, as a power cut would, and makes the replica the primary. */
  failOver(): Promise<void>;
  /** Stops the primary when the replica has all it wrote, and makes the replica the primary. */
  switchOver(): Promise<void>;
  /** Stops and continues every process of the primary. */
  freeze(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface Node {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
}

export async function openPostgresPair(): Promise<PostgresPair> {
  const programs = findServerPrograms();
  const owner = await findOwner();
  let [primary, replica] = [await createNode(owner), await createNode(owner)];
  const guards = [primary, replica].map(({ folder }) => startGuard(programs, folder, owner));
  const password = await initialize({ programs, owner, ...primary });
  await appendFile(
    path.join(primary.data, 'postgresql.conf'),
    describeSettings(primary.port, ['wal_level = replica', 'synchronous_commit = on']),
  );
  const run = (program: string, ...words: string[]) =>
    runAs(owner, path.join(programs, program), words);
  const control = ({ data }: Node, ...words: string[]) =>
    run('pg_ctl', '-D', data, '-w', '-s', ...words);
  const start = (node: Node) => control(node, 'start', '-l', path.join(node.folder, 'log'));
  const urlOf = (port: number) => `postgres://petstore:${password}@127.0.0.1:${port}/postgres`;
  const address = await openForward(() => primary.port);

  /** A replica from a new copy, which commits wait for from then on. */
  async function addReplica(): Promise<void> {
    await rm(replica.data, { recursive: true, force: true });
    const copied = ['-D', replica.data, '-R', '--no-sync', '-c', 'fast', '-d', urlOf(primary.port)];
    await run('pg_basebackup', ...copied);
    await appendFile(path.join(replica.data, 'postgresql.conf'), `port = ${replica.port}\n`);
    await start(replica);
    await setWaiting('*');
    await waitFor(() =>
      run('psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-d', urlOf(primary.port), '-c', isSynchronous),
    );
  }
  async function setWaiting(names: string): Promise<void> {
    await execute(urlOf(primary.port), `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await execute(urlOf(primary.port), 'SELECT pg_reload_conf()');
  }
  async function promote(): Promise<void> {
    await control(replica, 'promote');
    [primary, replica] = [replica, primary];
    await setWaiting('');
    address.disconnect();
    await addReplica();
  }

  await start(primary);
  await addReplica();
  return {
    url: urlOf(address.port),
    // What an operator does to the others must not stop the operator.
    execute: (sql) =>
      execute(`${urlOf(primary.port)}?options=-cdefault_transaction_read_only%3Doff`, sql),
    async failOver() {
      await signalAll(primary, 'SIGKILL');
      await rm(path.join(primary.data, 'postmaster.pid'), { force: true });
      await promote();
    },
    async switchOver() {
      await control(primary, 'stop', '-m', 'fast');
      await promote();
    },
    freeze: () => signalAll(primary, 'SIGSTOP'),
    resume: () => signalAll(primary, 'SIGCONT'),
    async close() {
      address.close();
      for (const guard of guards) await release(guard);
    },
  };
}

/** Fails until a replica follows that commits wait for. */
const isSynchronous =
  "SELECT 1 / count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";

async function createNode(owner: Owner): Promise<Node> {
  const folder = await createServerFolder(owner);
  return { folder, data: path.join(folder, 'data'), port: await findFreePort() };
}

async function signalAll({ data }: Node, signal: NodeJS.Signals): Promise<void> {
  const [postmaster = ''] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  for (const pid of `${postmaster} ${children}`.trim().split(' ')) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // A backend may have ended since it was listed.
    }
  }
}

/** One address in front of a port that changes. */
async function openForward(port: () => number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(port(), '127.0.0.1');
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = () => {
    disconnect();
    server.close();
  };
  return { port: portOf(server), disconnect, close };
}
