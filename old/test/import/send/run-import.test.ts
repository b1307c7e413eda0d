import { cpSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as soon } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient } from '../../../src/client/client.ts';
import { RequestError } from '../../../src/client/request-error.ts';
import { respondJson, startHttpServer } from '../../support/http-server.ts';
import { startService } from '../../support/service.ts';
import { describeSubject, openTestImports, startImport } from '../staged.ts';
import { listNames, nameRows, run, setUp, startOther } from './desk.ts';

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
