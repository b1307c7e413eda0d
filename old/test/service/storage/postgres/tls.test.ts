import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../../../src/service/storage/postgres/connection/open-connection.ts';
import { parseDatabaseUrl } from '../../../../src/service/storage/postgres/connection/parse-database-url.ts';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import {
  findPostgresObstacle,
  openPostgresCluster,
  type PostgresCluster,
} from '../../../support/postgres-cluster.ts';
import { waitFor } from '../../../support/wait-for.ts';

const certificates = path.join(import.meta.dirname, '../../../support/certificates');
const ours = path.join(certificates, 'first.crt.pem');
const another = path.join(certificates, 'second.crt.pem');

describe.skipIf(findPostgresObstacle())('TLS to the database', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await openPostgresCluster({
      tls: { cert: ours, key: path.join(certificates, 'first.key.pem') },
      settings: ["listen_addresses = '127.0.0.1,127.0.0.2'"],
    });
  });
  afterAll(() => cluster.close());

  function urlOf(hostname: string, parameters: Record<string, string>): string {
    const url = Object.assign(new URL(cluster.url), { hostname });
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  }

  it.each([
    { host: '127.0.0.1', parameters: { sslmode: 'verify-full', sslrootcert: ours } },
    { host: '127.0.0.1', parameters: { sslmode: 'require', sslrootcert: ours } },
    { host: '127.0.0.2', parameters: { sslmode: 'verify-ca', sslrootcert: ours } },
    { host: '127.0.0.2', parameters: { sslmode: 'no-verify' } },
    {
      host: '127.0.0.1',
      parameters: { sslmode: 'require', sslrootcert: ours, channel_binding: 'require' },
    },
  ])('is used with $parameters.sslmode on $host', async ({ host, parameters }) => {
    const store = await openPostgresStore(urlOf(host, parameters));
    await store.checkReady();
    const client = await connectClient(cluster.url);
    const { rows } = await client.query(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE application_name = 'petstore' AND pid <> pg_backend_pid()`,
    );
    await store.close();
    expect(rows).toEqual([{ ssl: true }]);
  });

  it.each([
    {
      host: '127.0.0.1',
      parameters: { sslmode: 'verify-full', sslrootcert: another },
      says: 'give the authority with sslrootcert=<file>',
    },
    { host: '127.0.0.1', parameters: { sslmode: 'require' }, says: 'give the authority' },
    {
      host: '127.0.0.2',
      parameters: { sslmode: 'verify-full', sslrootcert: ours },
      says: 'its certificate is for another host name',
    },
  ])('refuses $host with $parameters: $says', async ({ host, parameters, says }) => {
    await expect(openPostgresStore(urlOf(host, parameters))).rejects.toThrow(says);
  });

  it('is given up at once with what waits on it', async () => {
    const config = parseDatabaseUrl(urlOf('127.0.0.1', { sslmode: 'require', sslrootcert: ours }));
    const connection = openConnection(config);
    onTestFinished(connection.close);
    const sleep = { name: 'sleep', text: 'SELECT pg_sleep(4)', row: v.unknown() };
    const waiting = expect(connection.query(sleep, [])).rejects.toThrow('connection');
    const operator = await connectClient(cluster.url);
    await waitFor(async () => {
      const { rowCount } = await operator.query(
        "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
      );
      expect(rowCount).toBe(1);
    });
    connection.abandon();
    await waiting;
    // It would sleep on without its client, in sight of the other tests.
    await operator.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
    );
  });
});
