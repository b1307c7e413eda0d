import * as v from 'valibot';
import { StoreUnavailableError } from '../store.ts';
import type { Connection } from './connection/open-connection.ts';
import { grantFor } from './schema/rights.ts';

/** What adding a pet needs. */
const check = {
  name: 'check_ready',
  text: `
    SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      current_user AS "user", current_schema() AS "schema",
      (SELECT bool_and(has_table_privilege(name, privilege)) FROM (VALUES
        ('pets', 'SELECT'), ('pets', 'INSERT'), ('id_counters', 'SELECT'), ('id_counters', 'UPDATE'),
        ('idempotency_keys', 'SELECT'), ('idempotency_keys', 'INSERT'), ('idempotency_keys', 'UPDATE')
      ) AS needed (name, privilege)) AS "mayAdd"`,
  row: v.object({
    isReadOnly: v.boolean(),
    user: v.string(),
    schema: v.nullable(v.string()),
    mayAdd: v.boolean(),
  }),
};

/** Whether adds would work, by a connection that serves nothing else. */
export function createProbe({ query, abandon }: Pick<Connection, 'query' | 'abandon'>) {
  /** @throws StoreUnavailableError that says what is in the way. */
  return async (): Promise<void> => {
    const [state] = await query(check, []);
    if (state?.isReadOnly) {
      // The setting of a session may outlast the one of its database.
      abandon();
      throw new StoreUnavailableError('the database cannot be used now: it is read-only');
    }
    if (state?.mayAdd === false) {
      const { user, schema } = state;
      throw new StoreUnavailableError(
        `the database user ${user} may not add pets: ${grantFor(user, schema ?? 'public')}`,
      );
    }
  };
}
