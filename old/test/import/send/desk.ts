import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createPetstoreClient, type PetstoreClient } from '../../../src/client/client.ts';
import type { Pet } from '../../../src/contract/pet.ts';
import { createConcurrencyLimit } from '../../../src/import/send/concurrency-limit.ts';

import { runImport } from '../../../src/import/send/run-import.ts';
import type { Imports } from '../../../src/import/staging/imports.ts';
import type { RowOutcome, Staging } from '../../../src/import/staging/staging.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { makeFolder } from '../../support/make-folder.ts';
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
export async function setUp(url: string, key: string, rows: number): Promise<Desk> {
  const client = createPetstoreClient({ baseUrl: url, apiKey: key, retries: 1 });
  onTestFinished(client.close);
  const folder = await makeFolder();
  const imports = openTestImports(folder);
  startImport(imports, rows).staging.close();
  return { client, imports, folder, rows };
}

/** One run of the import, and the counts that the next one would find. */
export async function run({ client, imports, rows }: Desk, options: RunOptions = {}) {
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

export async function listNames(client: PetstoreClient): Promise<string[]> {
  const names: string[] = [];
  for (let page = await client.listPets({ limit: 100 }); ; ) {
    names.push(...page.pets.map((pet: Pet) => pet.name));
    if (page.next === undefined) return names.sort();
    page = await client.listNextPage(page.next);
  }
}

export function nameRows(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Pet ${index + 1}`).sort();
}

/** A service of another make that refuses or forgets some pets, and counts those it was sent. */
export async function startOther(
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
