import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { openStore } from '../../src/service/storage/databases.ts';
import { serviceCommand } from './built-program.ts';
import { call, post } from './http.ts';
import { makeKey } from './make-key.ts';
import { startServeProcess } from './serve-process.ts';

export interface BackupRounds {
  /** An empty folder, for the database, the backups and what is restored from them. */
  readonly folder: string;
  readonly rounds: number;
  /** Pets that are there before the load starts. */
  readonly pets: number;
  readonly addsPerSecond: number;
}

export interface BackupResult {
  /** Adds per second that were acknowledged while backups were made and restored. */
  readonly addsPerSecond: number;
  /** How long a backup took at most, from the start of the command to its end, in milliseconds. */
  readonly longest: number;
  /** Pets in the last backup. */
  readonly pets: number;
}

/** The response to each add that was acknowledged, by its id. */
type Ledger = Map<number, string>;

const TICK_MS = 20;

/**
 * Backs a service up again and again while pets are added to it, and restores each backup: it must hold every pet that
 * was acknowledged before the backup began, each once and as it was acknowledged, and be served.
 * @throws Error when a backup does not
 */
export async function runBackupRounds(options: BackupRounds): Promise<BackupResult> {
  const file = path.join(options.folder, 'petstore.db');
  const key = makeKey(`sqlite:${file}`);
  await fill(`sqlite:${file}`, options.pets);
  const service = await startServeProcess({ database: `sqlite:${file}` });
  const load = startLoad({ url: service.url, key }, options.addsPerSecond);
  try {
    let [longest, pets] = [0, 0];
    for (let round = 0; round < options.rounds; round += 1) {
      const before = new Map(load.ledger);
      const backup = path.join(options.folder, `backup-${round}.db`);
      const started = performance.now();
      await runDatabaseCommand(['backup', backup, '--database', `sqlite:${file}`]);
      longest = Math.max(longest, performance.now() - started);
      pets = await restore(backup, { before, ledger: load.ledger, key });
    }
    return { addsPerSecond: await load.stop(), longest, pets };
  } finally {
    await load.stop();
    await service.stop();
  }
}

async function fill(database: string, count: number): Promise<void> {
  const store = await openStore(database);
  const pet = { name: 'Before', categoryId: 1n, status: 'sold' } as const;
  for (let done = 0; done < count; done += 1_000) {
    await store.addPets(
      Array.from({ length: Math.min(1_000, count - done) }, () => ({ pet })),
      new Date(),
    );
  }
  await store.close();
}

/** Adds at a steady pace, whatever the service does, until it is stopped. */
function startLoad(target: { url: string; key: string }, addsPerSecond: number) {
  const ledger: Ledger = new Map();
  const running = new Set<Promise<void>>();
  const started = performance.now();
  let [sent, failure] = [0, ''];

  async function add(name: string): Promise<void> {
    const { status, text, body } = await post(target, `{"name":"${name}","categoryId":7}`);
    const id = typeof body === 'object' && body !== null && 'id' in body ? Number(body.id) : 0;
    if (status === 201) ledger.set(id, text);
    else failure = `${status} ${text}`;
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1_000) * addsPerSecond;
    for (; sent < due; sent += 1) {
      const adding = add(`load-${sent}`).catch((error: unknown) => {
        failure = inspect(error);
      });
      running.add(adding);
      void adding.then(() => running.delete(adding));
    }
  }, TICK_MS);
  return {
    ledger,
    async stop(): Promise<number> {
      clearInterval(timer);
      const seconds = (performance.now() - started) / 1_000;
      await Promise.all(running);
      if (failure !== '') throw new Error(`an add failed: ${failure}`);
      return ledger.size / seconds;
    },
  };
}

async function runDatabaseCommand(words: readonly string[]): Promise<void> {
  const [program = '', ...start] = serviceCommand;
  const child = spawn(program, [...start, 'db', ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`petstore db ${words.join(' ')}: ${errors.join('')}`);
}

interface Expected {
  readonly before: Ledger;
  /** What was acknowledged until now, which the backup may hold or not. */
  readonly ledger: Ledger;
  readonly key: string;
}

/** Does what the documents say, in a folder of its own, and returns how many pets there are. */
async function restore(backup: string, { before, ledger, key }: Expected): Promise<number> {
  const file = `${backup}-restored`;
  await runDatabaseCommand(['check', '--database', `sqlite:${backup}`]);
  await copyFile(backup, file);
  const count = comparePets(file, before, ledger);
  const service = await startServeProcess({ database: `sqlite:${file}` });
  const target = { url: service.url, key };
  const last = await call(target, `/pets/${count}`);
  const added = await post(target, '{"name":"After","categoryId":1}');
  await service.stop();
  if (last.status !== 200) throw new Error(`the last pet of the backup: ${last.status}`);
  if (!added.text.startsWith(`{"id":${count + 1},`)) throw new Error(`after it: ${added.text}`);
  for (const ending of ['', '-lock']) await rm(file + ending, { force: true });
  await rm(backup);
  return count;
}

function comparePets(file: string, before: Ledger, ledger: Ledger): number {
  const database = new DatabaseSync(file, { readOnly: true, returnArrays: true });
  const rows = database.prepare('SELECT id, json FROM pets ORDER BY id').all();
  database.close();
  const stored = new Map(rows.map(([id, json]) => [Number(id), String(json)]));
  for (const [id, json] of before) {
    if (stored.get(id) !== json)
      throw new Error(`${json} was acknowledged before, ${stored.get(id) ?? 'nothing'} is there`);
  }
  for (const [index, [id, json]] of [...stored].entries()) {
    if (id !== index + 1) throw new Error(`after pet ${index} comes pet ${id}`);
    const known = ledger.get(id);
    if (known !== undefined && known !== json) throw new Error(`${json} was added as ${known}`);
  }
  return stored.size;
}
