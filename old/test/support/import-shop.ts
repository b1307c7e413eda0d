import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPetstoreClient } from '../../src/client/client.ts';
import { issueKey } from '../../src/service/keys/issue-key.ts';
import { openStore } from '../../src/service/storage/databases.ts';
import { findFreePort } from './free-port.ts';
import { startServiceProcess } from './service-process.ts';

export interface Shop {
  url: string;
  key: string;
  /** Ends the service as nothing can be prepared for, and starts it again. */
  crash(): Promise<void>;
  /** Names of the pets that start with a prefix, sorted. */
  listNames(prefix: string): Promise<string[]>;
  close(): Promise<void>;
}

/** A service in a process of its own, on a database that survives it. */
export async function openShop(): Promise<Shop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-shop-'));
  const database = `sqlite:${path.join(folder, 'pets.db')}`;
  const store = await openStore(database);
  const { key } = await issueKey(store, { name: 'crash', createdAt: new Date() });
  await store.close();
  const port = await findFreePort();
  const start = () =>
    startServiceProcess(port, {
      PETSTORE_SERVE_DATABASE: database,
      PETSTORE_SERVE_LOG_LEVEL: 'error',
    });
  let service = await start();
  const client = createPetstoreClient({ baseUrl: service.url, apiKey: key });
  return {
    url: service.url,
    key,
    async crash() {
      await service.kill();
      service = await start();
    },
    async listNames(prefix) {
      const names: string[] = [];
      for (let page = await client.listPets({ limit: 100 }); ; ) {
        names.push(...page.pets.map((pet) => pet.name).filter((name) => name.startsWith(prefix)));
        if (page.next === undefined) return names.sort();
        page = await client.listNextPage(page.next);
      }
    },
    async close() {
      await client.close();
      await service.kill();
      await rm(folder, { recursive: true });
    },
  };
}
