import type { Client } from 'pg';
import * as v from 'valibot';
import { StoreOpenError } from '../../store.ts';

/** The driver keeps the process that the server named when it accepted the connection. */
const Session = v.object({ processID: v.nullable(v.number()) });
const BackendRow = v.object({ pid: v.number() });

/**
 * Refuses a pooler that lends its sessions per transaction: what is set or prepared in one would be missing in the next.
 * Only a pooler names another process than the one that runs the statements; with a second connection it shows whether
 * each has a session of its own.
 * @throws StoreOpenError
 */
export async function checkSessions(
  client: Client,
  withSecond: (work: (second: Client) => Promise<void>) => Promise<void>,
): Promise<void> {
  const first = await readBackend(client);
  // Servers without processes give all their sessions one number below 1.
  if (first < 1 || v.parse(Session, client).processID === first) return;
  await withSecond(async (second) => {
    const other = await readBackend(second);
    const isKept = first === (await readBackend(client)) && other === (await readBackend(second));
    if (isKept && first !== other) return;
    throw new StoreOpenError(
      'a connection pooler in front of the database lends its sessions per transaction: set it to session mode, or connect to the database itself',
    );
  });
}

async function readBackend(client: Client): Promise<number> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return v.parse(v.tuple([BackendRow]), rows)[0].pid;
}
