import * as v from 'valibot';
import { maskDatabaseUrl } from '../database-engine.ts';
import { reportDamage, StoreOpenError, type StoreSummary } from '../store.ts';
import { openConnection } from './connection/open-connection.ts';
import { explainOpening, hasStore } from './connection/open-database.ts';
import { findSchemaDamage } from './schema/migrations.ts';

/** A large store takes longer to read than a request may, in milliseconds. */
const READING_MS = 3_600_000;

const Count = v.pipe(v.string(), v.transform(Number));

const readAll = {
  name: 'check_store',
  text: `
    SELECT (SELECT count(*) FROM pets) AS pets, (SELECT count(*) FROM api_keys) AS "apiKeys",
      (SELECT count(*) FROM id_counters WHERE name IN ('pets', 'api_keys')) AS counters,
      (SELECT count(*) FROM pets, id_counters counter WHERE counter.name = 'pets' AND id > last_id) AS "beyondCounter",
      (SELECT count(*) FROM idempotency_keys LEFT JOIN pets ON pets.id = pet_id WHERE pets.id IS NULL) AS "orphans"`,
  row: v.object({
    pets: Count,
    apiKeys: Count,
    counters: Count,
    beyondCounter: Count,
    orphans: Count,
  }),
};

/** Reads all of a store and compares what must agree; damage of its disk is for PostgreSQL's own tools. @throws StoreOpenError */
export async function checkPostgresStore(url: string): Promise<StoreSummary> {
  const shown = maskDatabaseUrl(url);
  if (!(await hasStore(url)))
    throw new StoreOpenError(`there are no tables of petstore in ${shown}`);
  const missing = await explainOpening(url, findSchemaDamage);
  if (missing !== undefined) throw reportDamage(shown, `its ${missing} is missing`);
  return await explainOpening(url, async (config) => {
    const connection = openConnection({ ...config, statement_timeout: READING_MS });
    try {
      const [found] = await connection.query(readAll, []);
      if (found === undefined) throw new Error('a query of counts returned no row');
      if (found.counters < 2) throw reportDamage(shown, 'its counter of ids is missing');
      if (found.beyondCounter > 0)
        throw reportDamage(shown, 'its counter of ids is behind its pets');
      if (found.orphans > 0)
        throw reportDamage(shown, 'an idempotency key refers to a pet that is missing');
      return { pets: found.pets, apiKeys: found.apiKeys };
    } finally {
      await connection.close();
    }
  });
}
