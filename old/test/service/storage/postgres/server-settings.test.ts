import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../../../src/service/storage/postgres/connection/open-connection.ts';
import { parseDatabaseUrl } from '../../../../src/service/storage/postgres/connection/parse-database-url.ts';
import { openPostgresStore } from '../../../../src/service/storage/postgres/open-postgres-store.ts';
import {
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../../src/service/storage/store.ts';
import { findLocaleObstacle, makeGermanLocale } from '../../../support/german-locale.ts';
import { connectClient } from '../../../support/postgres-client.ts';
import {
  findPostgresObstacle,
  openPostgresCluster,
  type PostgresCluster,
} from '../../../support/postgres-cluster.ts';
import { waitFor } from '../../../support/wait-for.ts';

const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

describe.skipIf(findPostgresObstacle() ?? findLocaleObstacle())(
  'a server that speaks German',
  () => {
    let cluster: PostgresCluster;
    let locale: Awaited<ReturnType<typeof makeGermanLocale>>;
    beforeAll(async () => {
      locale = await makeGermanLocale();
      cluster = await openPostgresCluster({
        settings: ["lc_messages = 'de_DE.UTF-8'"],
        variables: { LOCPATH: locale.folder },
      });
    });
    afterAll(async () => {
      await cluster?.close();
      await locale?.remove();
    });

    async function openTestStore() {
      const store = await openPostgresStore(cluster.url);
      onTestFinished(store.close);
      return store;
    }

    it('is understood: what a constraint refuses was not stored, and says so', async () => {
      const store = await openTestStore();
      const client = await connectClient(cluster.url);
      await client.query("ALTER TABLE pets ADD CONSTRAINT no_dragons CHECK (name <> 'Smaug')");
      const refused = await store
        .addPets([{ pet: { ...pet, name: 'Smaug' } }], new Date())
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: '23514', severity: 'FEHLER' });
      expect(refused).not.toBeInstanceOf(StoreUnavailableError);
      expect(await store.addPets([{ pet }], new Date())).toMatchObject([{ kind: 'added' }]);
    });

    it('is understood: an add whose session was ended has an unknown outcome', async () => {
      const store = await openTestStore();
      const [holder, operator] = [
        await connectClient(cluster.url),
        await connectClient(cluster.url),
      ];
      await holder.query("BEGIN; UPDATE id_counters SET last_id = last_id WHERE name = 'pets'");
      const adding = expect(store.addPets([{ pet }], new Date())).rejects.toThrow(
        StoreOutcomeUnknownError,
      );
      await waitFor(async () => {
        const { rowCount } = await operator.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
        );
        expect(rowCount).toBe(1);
      });
      await adding;
    });
  },
);

describe.skipIf(findPostgresObstacle())('a commit', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await openPostgresCluster();
  });
  afterAll(() => cluster?.close());

  it.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('waits for the replica though the role says %s', async (set, expected) => {
    const operator = await connectClient(cluster.url);
    await operator.query(`ALTER ROLE petstore SET synchronous_commit = ${set}`);
    const { query, close } = openConnection(parseDatabaseUrl(cluster.url));
    onTestFinished(close);
    const show = {
      name: 'show',
      text: `SELECT current_setting('synchronous_commit') AS value`,
      row: v.object({ value: v.string() }),
    };
    expect(await query(show, [])).toEqual([{ value: expected }]);
  });

  it('has an unknown outcome when an operator ends its wait for the replica', async () => {
    const store = await openPostgresStore(cluster.url);
    onTestFinished(store.close);
    await store.addPets([{ pet }], new Date());
    const operator = await connectClient(cluster.url);
    await operator.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await operator.query('SELECT pg_reload_conf()');
    await waitFor(async () => {
      const { rows } = await operator.query('SHOW synchronous_standby_names');
      expect(rows).toEqual([{ synchronous_standby_names: '*' }]);
    });
    // The checkpointer puts the setting into force, perhaps after this session has read it; its second one begins later.
    await operator.query('CHECKPOINT');
    await operator.query('CHECKPOINT');
    onTestFinished(async () => {
      await operator.query('ALTER SYSTEM RESET synchronous_standby_names');
      await operator.query('SELECT pg_reload_conf()');
    });
    const adding = expect(store.addPets([{ pet }], new Date())).rejects.toThrow(
      StoreOutcomeUnknownError,
    );
    await waitFor(async () => {
      const { rowCount } = await operator.query(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      expect(rowCount).toBe(1);
    });
    await adding;
  });
});
