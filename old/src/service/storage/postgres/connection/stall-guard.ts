import { startWatch } from '../../../start-watch.ts';
import { type Connection, PATIENCE_MS } from './open-connection.ts';

/** How often connections are looked at, in milliseconds. */
const INTERVAL_MS = 250;

/**
 * Tells a database that has stopped responding from one that is busy: when a statement has waited for a second, the probe
 * sends one, and when that has waited for a second too, what waits is given up. Returns what ends it.
 */
export function startStallGuard(
  connections: readonly Connection[],
  probe: Pick<Connection, 'waiting' | 'oldestAge'>,
  sendProbe: () => Promise<unknown>,
): () => void {
  return startWatch(INTERVAL_MS, () => {
    const late = connections.filter(({ oldestAge }) => oldestAge > PATIENCE_MS);
    if (late.length === 0) return;
    if (probe.oldestAge > PATIENCE_MS) for (const connection of late) connection.abandon();
    else if (probe.waiting === 0) sendProbe().catch(() => {});
  });
}
