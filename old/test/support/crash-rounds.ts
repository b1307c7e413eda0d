import { randomInt } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { windowsProgram } from './built-program.ts';
import { call } from './http.ts';
import { type ServeProcess, startServeProcess } from './serve-process.ts';
import { waitFor } from './wait-for.ts';
import { within } from './within.ts';

export interface CrashResult {
  readonly rounds: number;
  /** Adds that were acknowledged with 201, over all rounds. */
  readonly acknowledged: number;
  /** Adds in flight when the service was killed: each was sent again with its key. */
  readonly unknown: number;
}

export interface CrashOptions {
  /** The path of the database file; it must exist. */
  readonly file: string;
  /** A key that is in it. */
  readonly key: string;
  readonly rounds: number;
}

/** Clients that add at the same time. */
const CLIENTS = 24;

/** When a service is killed, in milliseconds after the load began: any time from nothing on. */
const LATEST_KILL_MS = 400;

/** Far longer than a response, or the end of a connection, takes on a busy machine, in milliseconds. */
const PATIENCE_MS = 5_000;

/** What the clients know: the response to each name they sent, undefined where there was none. */
type Ledger = Map<string, string | undefined>;

/**
 * Kills a service under load with SIGKILL again and again, and compares what is there afterwards with what was
 * acknowledged. @throws Error when an acknowledged pet is missing, when one is there twice, when the file is damaged, or
 * when nothing is acknowledged at all.
 */
export async function runCrashRounds({ file, key, rounds }: CrashOptions): Promise<CrashResult> {
  const ledger: Ledger = new Map();
  let unknown = 0;
  for (let round = 0; round < rounds; round += 1) {
    const service = await startServeProcess({
      database: `sqlite:${file}`,
      args: ['--log-level', 'error'],
    });
    const target = { url: service.url, key };
    await resendUnknown(target, ledger);
    const abandoned = new AbortController();
    setMaxListeners(0, abandoned.signal);
    const load = Promise.all(
      Array.from({ length: CLIENTS }, (_, client) =>
        addUntilKilled({ ...target, signal: abandoned.signal }, ledger, `${round}-${client}`),
      ),
    );
    try {
      await pause(randomInt(LATEST_KILL_MS));
      // On a slow machine nothing may be acknowledged by then: in every second round something is.
      if (round % 2 === 0) await waitForFirstAdd(ledger, round);
    } finally {
      await kill(service);
      await endLoad(load, abandoned);
    }
    unknown += [...ledger.values()].filter((response) => response === undefined).length;
    checkFile(file, ledger);
  }
  const service = await startServeProcess({ database: `sqlite:${file}` });
  await resendUnknown({ url: service.url, key }, ledger);
  await service.stop();
  checkFile(file, ledger);
  return { rounds, acknowledged: ledger.size, unknown };
}

interface Target {
  url: string;
  key: string;
  /** Ends the requests in flight. */
  signal?: AbortSignal;
}

async function addUntilKilled(target: Target, ledger: Ledger, client: string): Promise<void> {
  for (let count = 0; ; count += 1) {
    const name = `${client}-${count}`;
    ledger.set(name, undefined);
    try {
      ledger.set(name, await add(target, name));
    } catch {
      return;
    }
  }
}

/** Sends again, with the same key, what was in flight. */
async function resendUnknown(target: Target, ledger: Ledger): Promise<void> {
  for (const [name, response] of ledger) {
    if (response !== undefined) continue;
    const added = within(add(target, name), `${name}, sent again, is acknowledged`, PATIENCE_MS);
    ledger.set(name, await added);
  }
}

async function add({ signal, ...target }: Target, name: string): Promise<string> {
  const { status, text } = await call(target, '/pets', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({ name, categoryId: 7 }),
    ...(signal && { signal }),
  });
  if (status !== 201) throw new Error(`${name}: ${status} ${text}`);
  return text;
}

async function waitForFirstAdd(ledger: Ledger, round: number): Promise<void> {
  const isOfRound = ([name, response]: [string, string | undefined]) =>
    name.startsWith(`${round}-`) && response !== undefined;
  await waitFor(() => {
    if (![...ledger].some(isOfRound)) throw new Error('no add is acknowledged');
  });
}

async function kill(service: ServeProcess): Promise<void> {
  await service.stop('SIGKILL');
  await waitFor(() => expectRefused(service.url));
}

/** What was started may only stand for the service, as it does in Wine: the service has ended when its port is closed. */
async function expectRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
  } catch {
    return;
  } finally {
    socket.destroy();
  }
  throw new Error('the service that was killed still takes connections');
}

/**
 * Waits until every client has lost the connection to the service, which has ended. Wine keeps the connection open
 * forever when it ends the program between the start of a write to it and its result: there the client gives up.
 */
async function endLoad(load: Promise<unknown>, abandoned: AbortController): Promise<void> {
  const lost = within(load, 'every connection to the killed service is closed', PATIENCE_MS);
  await (windowsProgram === undefined ? lost : lost.catch(() => abandoned.abort()));
  await load;
}

/** Compares the file with the ledger; opening it recovers what the killed service left in its log. */
function checkFile(file: string, ledger: Ledger): void {
  const database = new DatabaseSync(file, { returnArrays: true });
  const [[verdict]] = database.prepare('PRAGMA integrity_check').all();
  if (verdict !== 'ok') throw new Error(`the file is damaged: ${verdict}`);
  const stored = new Map<string, string>();
  for (const [name, json] of database.prepare('SELECT name, json FROM pets').all()) {
    if (stored.has(name)) throw new Error(`${name} is there twice`);
    if (!ledger.has(name)) throw new Error(`${name} was never sent`);
    stored.set(name, json);
  }
  for (const [name, response] of ledger) {
    const json = stored.get(name);
    if (response !== undefined && json !== response)
      throw new Error(`${response} was acknowledged, ${json ?? 'nothing'} is there`);
  }
  database.close();
}
