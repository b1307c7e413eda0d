import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { portOf } from './http-server.ts';
import { createPostgresNode, formatUrl, type PostgresNode } from './postgres-cluster.ts';
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
  /** Lets commits wait for nobody, and the replica receive nothing more: what follows is lost by `failOver`. */
  detachReplica(): Promise<void>;
  /** Stops and continues every process of the primary. */
  freeze(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function openPostgresPair(): Promise<PostgresPair> {
  const nodes = [await createPostgresNode(), await createPostgresNode()] as const;
  let [primary, replica] = nodes;
  const password = await primary.initialize();
  await primary.configure('wal_level = replica', 'synchronous_commit = on');
  const urlOf = (port: number) => formatUrl(port, password);
  const address = await openForward(() => primary.port);

  /** A replica from a new copy, which commits wait for from then on. */
  async function addReplica(): Promise<void> {
    await rm(replica.data, { recursive: true, force: true });
    const copied = ['-D', replica.data, '-R', '--no-sync', '-c', 'fast', '-d', urlOf(primary.port)];
    await replica.run('pg_basebackup', ...copied);
    await replica.configure(`port = ${replica.port}`);
    await replica.start();
    await setWaiting('*');
    await waitFor(() => execute(urlOf(primary.port), isSynchronous));
  }
  async function setWaiting(names: string): Promise<void> {
    await execute(urlOf(primary.port), `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await execute(urlOf(primary.port), 'SELECT pg_reload_conf()');
  }
  async function promote(): Promise<void> {
    await replica.control('promote');
    [primary, replica] = [replica, primary];
    await setWaiting('');
    address.disconnect();
    await addReplica();
  }

  await primary.start();
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
    async detachReplica() {
      await setWaiting('');
      await execute(urlOf(replica.port), "ALTER SYSTEM SET primary_conninfo = ''");
      await execute(urlOf(replica.port), 'SELECT pg_reload_conf()');
      await waitFor(() => execute(urlOf(primary.port), isAlone));
    },
    async switchOver() {
      await primary.control('stop', '-m', 'fast');
      await promote();
    },
    freeze: () => signalAll(primary, 'SIGSTOP'),
    resume: () => signalAll(primary, 'SIGCONT'),
    async close() {
      address.close();
      for (const node of nodes) await node.close();
    },
  };
}

/** Fails until a replica follows that commits wait for. */
const isSynchronous =
  "SELECT 1 / count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";

/** Fails while a replica follows. */
const isAlone = 'SELECT 1 / (count(*) = 0)::int FROM pg_stat_replication';

async function signalAll({ data }: PostgresNode, signal: NodeJS.Signals): Promise<void> {
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
