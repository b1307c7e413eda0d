import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { StoreUnavailableError } from '../../store.ts';
import { type Attempt, type ConnectedClient, startAttempt } from './attempt.ts';

/** How long a statement waits for a connection, in milliseconds; the attempt goes on after that. */
const CONNECT_PATIENCE_MS = 2_000;

/** Not longer, or an add would be refused for as long after readiness has returned. */
const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 500;

/** Keeps one client connected: opened when first needed and again after a loss, with growing delays while that fails. */
export function createLink(config: ClientConfig, onConnect: () => void = () => {}) {
  let current: Attempt | undefined;
  const backoff = createBackoff();

  function open(): Attempt {
    const attempt = startAttempt(config, () => {
      if (current === attempt) current = undefined;
    });
    // Registered first, so that it is known before anybody who waits for the connection goes on.
    attempt.connected.then(() => {
      backoff.noteSuccess();
      onConnect();
    }, backoff.noteFailure);
    return attempt;
  }

  return {
    async connect(): Promise<ConnectedClient> {
      if (current === undefined && backoff.isWaiting()) {
        throw new StoreUnavailableError('the database cannot be reached; retrying shortly');
      }
      current ??= open();
      return current.connectedClient ?? (await waitBriefly(current.connected));
    },
    abandon: () => current?.abandon(),
    close: async () => await current?.close(),
  };
}

function createBackoff() {
  let failures = 0;
  let nextAttempt = 0;
  return {
    isWaiting: () => performance.now() < nextAttempt,
    noteSuccess() {
      failures = 0;
    },
    noteFailure() {
      const pause = Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS);
      // Instances that lost the database together must not all reconnect at the same instant.
      nextAttempt = performance.now() + pause * (0.5 + Math.random() / 2);
      failures += 1;
    },
  };
}

async function waitBriefly(connected: Promise<ConnectedClient>): Promise<ConnectedClient> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const expiry = delay(CONNECT_PATIENCE_MS, undefined, { signal }).then(() => {
    throw new StoreUnavailableError('the database has not accepted a connection yet');
  });
  return await Promise.race([connected, expiry]).finally(() => waiting.abort());
}
