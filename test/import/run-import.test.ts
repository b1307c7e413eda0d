import { appendFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient, type PetstoreClient } from '../../src/client/client.ts';
import { RequestError } from '../../src/client/request-error.ts';
import type { Pet } from '../../src/contract/pet.ts';
import { openImportFile } from '../../src/import/import-file.ts';
import { type RunResult, runImport } from '../../src/import/run-import.ts';
import { createPace } from '../../src/import/send/concurrency-limit.ts';
import type { SentOutcome } from '../../src/import/send/send-rows.ts';
import type { DoubtfulRow } from '../../src/import/staging/find-doubtful-rows.ts';
import { type JournalBook, openJournalBook } from '../../src/import/staging/journal.ts';
import { makeFolder } from '../support/make-folder.ts';
import { startService } from '../support/service.ts';

interface Desk {
  client: PetstoreClient;
  file: string;
  folder: string;
  url: string;
}

interface RunOptions {
  begin?: boolean;
  honoursKeys?: boolean;
  now?: Date;
  concurrency?: number;
  signal?: AbortSignal;
  onChecked?(): Promise<void>;
  onOutcome?(row: number, outcome: SentOutcome): void;
}

/** A file of pets named 1, 2, 3 … and a client of the address. */
async function setUp(url: string, key: string, rows: number): Promise<Desk> {
  const folder = await makeFolder();
  const file = path.join(folder, 'pets.csv');
  const lines = Array.from({ length: rows }, (_, index) => `Pet ${index + 1},${index % 7}`);
  await writeFile(file, `name,categoryId\n${lines.join('\n')}\n`);
  const client = createPetstoreClient({ baseUrl: url, apiKey: key, retries: 1 });
  onTestFinished(client.close);
  return { client, file, folder, url };
}

async function run({ client, file, folder, url }: Desk, options: RunOptions = {}) {
  const opened = await openImportFile({ path: file });
  const subject = { hash: '', environment: 'staging', url, format: 'csv' as const, rows: 0 };
  const pass = opened.readRows({ onNotice: () => {} });
  for await (const _ of pass.rows) subject.rows += 1;
  await options.onChecked?.();
  const book: JournalBook = await openJournalBook(path.join(folder, 'state'), {
    ...subject,
    hash: pass.hash(),
  });
  const now = () => options.now ?? new Date();
  const doubts: DoubtfulRow[] = [];
  const outcomes = new Map<number, SentOutcome>();
  try {
    const journal = await (options.begin ? book.begin(now) : book.resume(now));
    const result: RunResult = await runImport(
      {
        client,
        file: opened,
        journal,
        pace: createPace(options.concurrency ?? 8),
        honoursKeys: options.honoursKeys ?? true,
        now,
      },
      {
        signal: options.signal ?? new AbortController().signal,
        onDoubt: (doubt) => doubts.push(doubt),
        onOutcome: (row, outcome) => {
          outcomes.set(row.number, outcome);
          options.onOutcome?.(row.number, outcome);
        },
      },
    );
    return { ...result, outcomes, doubts, state: journal.state };
  } finally {
    await book.close();
    await opened.close();
  }
}

async function listNames(client: PetstoreClient): Promise<string[]> {
  const names: string[] = [];
  for (let page = await client.listPets({ limit: 100 }); ; ) {
    names.push(...page.pets.map((pet: Pet) => pet.name));
    if (page.next === undefined) return names.sort();
    page = await client.listNextPage(page.next);
  }
}

function nameRows(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Pet ${index + 1}`).sort();
}

/** Another implementation of the contract, as the listener makes it. */
async function startOther(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
}

describe('sending a file', () => {
  it('adds every row once and tells each outcome', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 300);
    const first = await run(desk);
    expect(first).toMatchObject({ isComplete: true, failure: undefined });
    expect(first.outcomes.size).toBe(300);
    expect(first.state).toMatchObject({ added: 300 });
    expect(await listNames(desk.client)).toEqual(nameRows(300));
    const again = await run(desk);
    expect(again.isComplete).toBe(true);
    expect(await listNames(desk.client)).toEqual(nameRows(300));
  });

  it('sends nothing of a file that was changed since it was checked', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 5);
    const changed = await run(desk, { onChecked: () => appendFile(desk.file, 'Pet 6,x\n') });
    expect(changed.failure).toMatchObject({ code: 'cli_file' });
    expect(await listNames(desk.client)).toEqual([]);
  });

  it('a new run adds the same rows again', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 5);
    await run(desk);
    await run(desk, { begin: true });
    expect(await listNames(desk.client)).toEqual([...nameRows(5), ...nameRows(5)].sort());
  });

  it('when asked to stop it finishes what is under way, and goes on later', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 400);
    const interruption = new AbortController();
    const stopped = await run(desk, {
      signal: interruption.signal,
      onOutcome: (row) => row === 100 && interruption.abort(),
    });
    expect(stopped).toMatchObject({ isComplete: false, failure: undefined });
    expect(stopped.state.added).toBeLessThan(200);
    expect(await listNames(desk.client)).toHaveLength(stopped.state.added);
    const resumed = await run(desk);
    expect(resumed.isComplete).toBe(true);
    expect(await listNames(desk.client)).toEqual(nameRows(400));
  });

  it('stops where going on cannot help, with what was added kept', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 100);
    const wrong = createPetstoreClient({ baseUrl: service.url, apiKey: 'wrong-key' });
    onTestFinished(wrong.close);
    const refused = await run({ ...desk, client: wrong });
    expect(refused.isComplete).toBe(false);
    expect(refused.failure).toBeInstanceOf(RequestError);
    expect(refused.failure).toMatchObject({ failure: { kind: 'response', status: 401 } });
    expect((await run(desk)).isComplete).toBe(true);
    expect(await listNames(desk.client)).toEqual(nameRows(100));
  });

  it('a row that the service refuses does not stop the others, and is told again when resumed', async () => {
    let id = 0;
    const url = await startOther((request, response) => {
      request.on('data', (chunk: Buffer) => {
        const pet = JSON.parse(chunk.toString());
        id += 1;
        const isRefused = pet.name === 'Pet 3';
        const error = { code: 'category_full', message: 'no more of these', status: 400 };
        response.writeHead(isRefused ? 400 : 201, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isRefused ? error : { id, ...pet }));
      });
    });
    const desk = await setUp(url, 'key', 10);
    const rejected = {
      kind: 'rejected',
      status: 400,
      code: 'category_full',
      message: 'no more of these',
    };
    const first = await run(desk);
    expect(first).toMatchObject({ isComplete: true, state: { added: 9 } });
    expect(first.outcomes.get(3)).toEqual(rejected);
    const again = await run(desk);
    expect([...again.outcomes]).toEqual([[3, rejected]]);
    expect(id).toBe(10);
  });

  it('where keys are not honoured, a lost answer is told as unknown and the row never sent again', async () => {
    const seen: string[] = [];
    const url = await startOther((request, response) => {
      request.on('data', (chunk: Buffer) => {
        const pet = JSON.parse(chunk.toString());
        seen.push(pet.name);
        if (pet.name === 'Pet 2') {
          request.destroy();
          return;
        }
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ id: seen.length, ...pet }));
      });
      if (request.method === 'HEAD') response.end();
    });
    const desk = await setUp(url, 'key', 4);
    const first = await run(desk, { honoursKeys: false });
    expect(first).toMatchObject({ isComplete: true, state: { added: 3 } });
    expect(first.outcomes.get(2)).toMatchObject({ kind: 'unknown' });
    await run(desk, { honoursKeys: false });
    expect(seen.sort()).toEqual(nameRows(4));
  });
});

describe('rows in doubt since longer than the service keeps keys', () => {
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);

  /** Row 1 and 2 announced eight days ago; row 1 has arrived, its answer never did. */
  async function crashLongAgo(pets: readonly { name: string; categoryId: bigint }[]) {
    const service = await startService({ pets });
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 2);
    const interruption = new AbortController();
    interruption.abort();
    await run(desk, { begin: true, now: longAgo, signal: interruption.signal });
    return { service, desk };
  }

  it('are looked for: one that the list has is reported and not sent, one that it lacks is sent', async () => {
    const { desk } = await crashLongAgo([{ name: 'Pet 1', categoryId: 0n }]);
    await announceLongAgo(desk);
    const resumed = await run(desk);
    expect(resumed.doubts.map(({ row, candidates }) => [row.number, candidates])).toEqual([
      [1, [1n]],
      [2, []],
    ]);
    expect(resumed.isComplete).toBe(true);
    expect(resumed.outcomes.get(1)).toMatchObject({ kind: 'unknown' });
    expect(resumed.outcomes.get(2)).toMatchObject({ kind: 'added' });
    expect(await listNames(desk.client)).toEqual(['Pet 1', 'Pet 2']);
  });

  it('within that time they are sent again with their keys, without looking', async () => {
    const { desk } = await crashLongAgo([{ name: 'Pet 1', categoryId: 0n }]);
    await announceLongAgo(desk);
    const resumed = await run(desk, { now: new Date(longAgo.getTime() + 6 * 24 * 60 * 60 * 1000) });
    expect(resumed.doubts).toEqual([]);
    expect(await listNames(desk.client)).toEqual(['Pet 1', 'Pet 1', 'Pet 2']);
  });

  async function announceLongAgo({ file, folder, url }: Desk): Promise<void> {
    const opened = await openImportFile({ path: file });
    const pass = opened.readRows({ onNotice: () => {} });
    for await (const _ of pass.rows);
    await opened.close();
    const subject = {
      hash: pass.hash(),
      environment: 'staging',
      url,
      format: 'csv' as const,
      rows: 2,
    };
    const book = await openJournalBook(path.join(folder, 'state'), subject);
    const journal = await book.resume(() => longAgo);
    await journal.announce(2);
    await book.close();
  }
});
