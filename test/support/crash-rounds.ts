import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { post } from './http.ts';
import { type ServeProcess, startServeProcess } from './serve-process.ts';

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

/** How long a service may work before it is killed, in milliseconds; anything from nothing on. */
const LONGEST_LIFE_MS = 400;

/** What the clients know: the response to each name they sent, undefined where there was none. */
type Ledger = Map<string, string | undefined>;

/**
 * Kills a service under load with SIGKILL again and again, and compares what is there afterwards with what was
 * acknowledged. @throws Error when an acknowledged pet is missing, when one is there twice, or when the file is damaged.
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
    const load = Promise.all(
      Array.from({ length: CLIENTS }, (_, client) =>
        addUntilKilled(target, ledger, `${round}-${client}`),
      ),
    );
    await kill(service);
    await load;
    unknown += [...ledger.values()].filter((response) => response === undefined).length;
    checkFile(file, ledger);
  }
  const service = await startServeProcess({ database: `sqlite:${file}` });
  await resendUnknown({ url: service.url, key }, ledger);
  await service.stop();
  checkFile(file, ledger);
  return { rounds, acknowledged: ledger.size, unknown };
}

async function addUntilKilled(
  target: { url: string; key: string },
  ledger: Ledger,
  client: string,
): Promise<void> {
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
async function resendUnknown(target: { url: string; key: string }, ledger: Ledger): Promise<void> {
  for (const [name, response] of ledger)
    if (response === undefined) ledger.set(name, await add(target, name));
}

async function add(target: { url: string; key: string }, name: string): Promise<string> {
  const body = JSON.stringify({ name, categoryId: 7 });
  const { status, text } = await post(target, body, { 'idempotency-key': name });
  if (status !== 201) throw new Error(`${name}: ${status} ${text}`);
  return text;
}

async function kill(service: ServeProcess): Promise<void> {
  await pause(randomInt(LONGEST_LIFE_MS));
  await service.stop('SIGKILL');
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
