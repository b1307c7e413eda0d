import { cpSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient, type PetstoreClient } from '../../../src/client/client.ts';
import { RequestError } from '../../../src/client/request-error.ts';
import type { Pet } from '../../../src/contract/pet.ts';
import { createConcurrencyLimit } from '../../../src/import/send/concurrency-limit.ts';

import { runImport } from '../../../src/import/send/run-import.ts';
import type { Imports } from '../../../src/import/staging/imports.ts';
import type { RowOutcome, Staging } from '../../../src/import/staging/staging.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { startService } from '../../support/service.ts';
import { describeSubject, openTestImports, startImport } from '../staged.ts';

interface Desk {
  client: PetstoreClient;
  imports: Imports;
  folder: string;
  rows: number;
}

interface RunOptions {
  honorsKeys?: boolean;
  now?: Date;
  concurrency?: number;
  signal?: AbortSignal;
  /** What of the staging database fails. */
  broken?: Partial<Staging>;
  onOutcome?(row: number, outcome: RowOutcome): unknown;
}

/** Staged pets named Pet 1, Pet 2, Pet 3 … and a client for the service. */
async function setUp(url: string, key: string, rows: number): Promise<Desk> {
  const client = createPetstoreClient({ baseUrl: url, apiKey: key, retries: 1 });
  onTestFinished(client.close);
  const folder = await makeFolder();
  const imports = openTestImports(folder);
  startImport(imports, rows).staging.close();
  return { client, imports, folder, rows };
}

/** One run of the import, and the counts that the next one would find. */
async function run({ client, imports, rows }: Desk, options: RunOptions = {}) {
  const open = () => imports.open(describeSubject('abc', rows).id);
  const known = open();
  if (known?.staging === undefined) throw new Error('nothing is staged');
  const { staging, record } = known;
  const outcomes = new Map<number, RowOutcome>();
  const context = {
    client,
    staging: { ...staging, ...options.broken },
    limit: createConcurrencyLimit(options.concurrency ?? 8),
    run: record.run,
    honorsKeys: options.honorsKeys ?? true,
    clock: () => options.now ?? new Date(),
  };
  const result = await runImport(context, {
    signal: options.signal ?? new AbortController().signal,
    onOutcome: async ({ row, outcome }) => {
      outcomes.set(row.number, outcome);
      await options.onOutcome?.(row.number, outcome);
    },
  });
  const counts = staging.countOutcomes();
  const isComplete = result.failure === undefined && staging.readUnsent(0).length === 0;
  staging.close();
  return { ...result, isComplete, outcomes, counts };
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

/** A service of another make that refuses or forgets some pets, and counts those it was sent. */
async function startOther(
  respond: (name: string) => 'added' | 'rejected' | 'lost',
  rejection = 400,
) {
  const sent: string[] = [];
  const listener: RequestListener = async (request, response) => {
    const pet = JSON.parse(await text(request));
    sent.push(pet.name);
    const kind = respond(pet.name);
    if (kind === 'lost') return void request.socket.destroy();
    const error = { code: 'category_full', message: 'no more of these', status: rejection };
    response.writeHead(kind === 'added' ? 201 : rejection, { 'content-type': 'application/json' });
    response.end(JSON.stringify(kind === 'added' ? { id: sent.length, ...pet } : error));
  };
  const { url } = await startHttpServer(listener);
  return { url, sent };
}

describe('a service that refuses rows', () => {
  it('is sent more of them at once than at first, as one that adds them', async () => {
    const waiting: (() => unknown)[] = [];
    let sent = 0;
    const { url } = await startHttpServer(async (request, response) => {
      await text(request);
      sent += 1;
      const refuse = () =>
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"code":"category_full","message":"no","status":400}');
      // From the ninth on none is answered before five are there, of which the first limit admits four.
      if (sent > 8) waiting.push(refuse);
      else refuse();
      if (waiting.length === 5) for (const each of waiting) each();
      if (waiting.length > 5) refuse();
    });
    const desk = await setUp(url, 'a-key-of-16-char', 30);
    expect((await run(desk, { concurrency: 16 })).counts.rejected).toBe(30);
  });
});

describe('sending staged rows', () => {
  it('adds every row once and reports each outcome', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 300);
    const first = await run(desk);
    expect(first).toMatchObject({ isComplete: true, failure: undefined });
    expect(first.outcomes.size).toBe(300);
    expect(first.counts).toEqual({ added: 300, rejected: 0, unknown: 0 });
    expect(await listNames(desk.client)).toEqual(nameRows(300));
    const again = await run(desk);
    expect(again.isComplete).toBe(true);
    expect(await listNames(desk.client)).toEqual(nameRows(300));
  });

  it('when it is started again, adds the same rows again', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 5);
    await run(desk);
    startImport(desk.imports, 5).staging.close();
    await run(desk);
    expect(await listNames(desk.client)).toEqual([...nameRows(5), ...nameRows(5)].sort());
  });

  it('stores an outcome before it reports it', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 20);
    const interruption = new Error('the reader of the outcomes fails');
    const failed = await run(desk, {
      onOutcome: () => {
        throw interruption;
      },
    });
    expect(failed).toMatchObject({ isComplete: false, failure: interruption });
    expect(failed.counts.added).toBe((await listNames(desk.client)).length);
  });

  it('sends only what is in flight while an outcome is not yet taken', async () => {
    const other = await startOther(() => 'added');
    const desk = await setUp(other.url, 'key', 400);
    let sentMeanwhile = 0;
    await run(desk, {
      onOutcome: async () => {
        if (sentMeanwhile > 0) return;
        const before = other.sent.length;
        for (let turn = 0; turn < 2_000; turn += 1) await soon();
        sentMeanwhile = Math.max(1, other.sent.length - before);
      },
    });
    expect(sentMeanwhile).toBeLessThanOrEqual(9);
    expect(other.sent).toHaveLength(400);
  });

  it('a row that arrived is on the disk as one that may have been sent', async () => {
    const snapshots = new Map<number, string>();
    const cut = [1, 2, 499, 501, 1_200];
    const other = await startOther((name) => {
      const row = Number(name.slice('Pet '.length));
      if (cut.includes(row)) {
        const copy = mkdtempSync(path.join(tmpdir(), 'petstore-snapshot-'));
        snapshots.set(row, copy);
        cpSync(desk.folder, copy, { recursive: true });
      }
      return 'added';
    });
    const desk = await setUp(other.url, 'key', 1_200);
    await run(desk);
    expect([...snapshots.keys()].sort((one, two) => one - two)).toEqual(cut);
    for (const [row, copy] of snapshots) {
      onTestFinished(() => rm(copy, { recursive: true }));
      const staging = openTestImports(copy).open(describeSubject('abc', 1_200).id)?.staging;
      staging?.giveUp(new Date(Date.now() + 1000), 'a power cut');
      expect(staging?.readUnsent(0)[0]?.number ?? 1_201).toBeGreaterThan(row);
      staging?.close();
    }
  });

  it('when asked to stop it finishes what is in flight, and is resumed later', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 1_200);
    const interruption = new AbortController();
    const stopped = await run(desk, {
      signal: interruption.signal,
      onOutcome: (row) => row === 100 && interruption.abort(),
    });
    expect(stopped).toMatchObject({ isComplete: false, failure: undefined });
    expect(stopped.counts.added).toBeLessThan(1_100);
    expect(await listNames(desk.client)).toHaveLength(stopped.counts.added);
    // Rows that were not sent need no key, however long ago the stop was.
    const resumed = await run(desk, { now: new Date(Date.now() + 8 * 24 * 60 * 60 * 1000) });
    expect(resumed).toMatchObject({ isComplete: true, counts: { unknown: 0 } });
    expect(await listNames(desk.client)).toEqual(nameRows(1_200));
  });

  it('ends at a response that is about all rows, which makes none of them unknown', async () => {
    const other = await startOther(() => 'rejected', 403);
    const desk = await setUp(other.url, 'key', 400);
    const ended = await run(desk, { honorsKeys: false });
    expect(ended.failure).toMatchObject({ failure: { status: 403 } });
    expect(ended.counts).toEqual({ added: 0, rejected: 0, unknown: 0 });
    expect(other.sent.length).toBeLessThan(20);
  });

  it.each(['giveUp', 'readUnsent', 'retract'] as const)(
    'ends with the failure of the disk in %s',
    async (step) => {
      const desk = await setUp('http://127.0.0.1:1/v1', 'key', 4);
      const failure = new Error('the disk is full');
      const fail = () => {
        throw failure;
      };
      const signal = AbortSignal.abort();
      expect(await run(desk, { signal, broken: { [step]: fail } })).toMatchObject({
        ...{ failure, unstored: 0 },
      });
    },
  );

  it('stops where sending more cannot help, and keeps what was added', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 100);
    const wrong = createPetstoreClient({ baseUrl: service.url, apiKey: 'wrong-key' });
    onTestFinished(wrong.close);
    const refused = await run({ ...desk, client: wrong });
    expect(refused.isComplete).toBe(false);
    expect(refused.failure).toBeInstanceOf(RequestError);
    expect(refused.failure).toMatchObject({ failure: { status: 401 } });
    expect((await run(desk)).isComplete).toBe(true);
    expect(await listNames(desk.client)).toEqual(nameRows(100));
  });

  it.each([400, 413, 422])(
    'a row that the service rejects with %i does not stop the others, and is reported again when resumed',
    async (status) => {
      const other = await startOther((name) => (name === 'Pet 3' ? 'rejected' : 'added'), status);
      const desk = await setUp(other.url, 'key', 10);
      const rejected = {
        kind: 'rejected',
        status,
        code: 'category_full',
        message: 'no more of these',
      };
      const first = await run(desk);
      expect(first).toMatchObject({ isComplete: true, counts: { added: 9, rejected: 1 } });
      expect(first.outcomes.get(3)).toEqual(rejected);
      const again = await run(desk);
      expect([...again.outcomes]).toEqual([[3, rejected]]);
      expect(other.sent).toHaveLength(10);
    },
  );

  it('keeps the first thousand characters of what the service says of a row', async () => {
    const message = 'x'.repeat(1_001);
    const error = JSON.stringify({ code: 'category_full', message, status: 400 });
    const { url } = await startHttpServer(respondJson(400, error));
    const { outcomes } = await run(await setUp(url, 'key', 1));
    expect(outcomes.get(1)).toMatchObject({ kind: 'rejected', message: message.slice(1) });
  });

  it('where keys are not honored, a lost response is reported as unknown and the row never sent again', async () => {
    const other = await startOther((name) => (name === 'Pet 2' ? 'lost' : 'added'));
    const desk = await setUp(other.url, 'key', 4);
    const first = await run(desk, { honorsKeys: false });
    expect(first).toMatchObject({ isComplete: true, counts: { added: 3, unknown: 1 } });
    expect(first.outcomes.get(2)).toMatchObject({ kind: 'unknown' });
    await run(desk, { honorsKeys: false });
    expect(other.sent.sort()).toEqual(nameRows(4));
  });
});

describe('rows that may have been sent before a crash', () => {
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  const daysLater = (days: number) => new Date(longAgo.getTime() + days * 24 * 60 * 60 * 1000);

  /** Rows 1 and 2 of 3 were announced eight days ago, and the first of them arrived. */
  async function crashLongAgo() {
    const service = await startService({ pets: [{ name: 'Pet 1', categoryId: 0n }] });
    onTestFinished(service.close);
    const desk = await setUp(service.url, service.key, 3);
    const staging = desk.imports.open(describeSubject('abc', 3).id)?.staging;
    staging?.record([], { upTo: 2, at: longAgo });
    staging?.close();
    return desk;
  }

  it('are reported as unknown and not sent once the service may have forgotten their keys; rows never sent are sent', async () => {
    const desk = await crashLongAgo();
    const resumed = await run(desk);
    expect(resumed).toMatchObject({ isComplete: true, counts: { added: 1, unknown: 2 } });
    const reason =
      'sent earlier, response lost; the service no longer recognizes its idempotency key';
    for (const row of [1, 2])
      expect(resumed.outcomes.get(row)).toEqual({ kind: 'unknown', reason });
    expect(resumed.outcomes.get(3)).toMatchObject({ kind: 'added' });
    expect(await listNames(desk.client)).toEqual(['Pet 1', 'Pet 3']);
  });

  it('are reported as unknown where the service recognizes no key', async () => {
    const resumed = await run(await crashLongAgo(), { honorsKeys: false });
    const reason =
      'sent earlier, response lost; the service does not recognize its idempotency key';
    for (const row of [1, 2])
      expect(resumed.outcomes.get(row)).toEqual({ kind: 'unknown', reason });
  });

  it.each([
    ['an hour and a minute before the end of the promise', 7 - 61 / 1440, 3],
    ['an hour before the end of the promise less a minute', 7 - 59 / 1440, 1],
  ])('are sent again or not: %s', async (_, days, added) => {
    const desk = await crashLongAgo();
    const resumed = await run(desk, { now: daysLater(days) });
    expect(resumed).toMatchObject({ isComplete: true, counts: { added } });
  });

  it.each([
    ['a moment', 60_000, 3],
    ['a day', 24 * 60 * 60_000, 1],
  ])('by a clock that was ahead by %s are sent again or not', async (_, ahead, added) => {
    const desk = await crashLongAgo();
    const resumed = await run(desk, { now: new Date(longAgo.getTime() - ahead) });
    expect(resumed).toMatchObject({ isComplete: true, counts: { added } });
  });

  it('while keys were not honored are not sent again when they are honored later', async () => {
    const other = await startOther(() => 'added');
    const desk = await setUp(other.url, 'key', 3);
    const copy = await makeFolder();
    const { createPet } = desk.client;
    const client = {
      ...desk.client,
      createPet(...words: Parameters<typeof createPet>) {
        cpSync(desk.folder, copy, { recursive: true });
        return createPet(...words);
      },
    };
    await run({ ...desk, client }, { honorsKeys: false, concurrency: 1 });
    const resumed = await run({ ...desk, imports: openTestImports(copy) });
    expect(resumed.counts.unknown).toBeGreaterThan(0);
    expect(other.sent.sort()).toEqual(nameRows(3));
  });

  it('are reported as unknown at once where keys are not honored', async () => {
    const desk = await crashLongAgo();
    const resumed = await run(desk, { now: daysLater(0), honorsKeys: false });
    expect(resumed.counts).toEqual({ added: 1, rejected: 0, unknown: 2 });
    expect(await listNames(desk.client)).toEqual(['Pet 1', 'Pet 3']);
  });
});
