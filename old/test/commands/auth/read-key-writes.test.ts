import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPetstoreClient } from '../../../src/client/client.ts';
import { issueKey } from '../../../src/service/keys/issue-key.ts';
import { createFakeKeychain } from '../../support/fake-keychain.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { createTestSchema } from '../../support/postgres.ts';
import { findPostgresObstacle } from '../../support/postgres-cluster.ts';
import { createHome, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

const engines = [
  ['SQLite', async () => ({ url: 'sqlite::memory:', drop: async () => {} })],
  ...(findPostgresObstacle() === undefined ? ([['PostgreSQL', createTestSchema]] as const) : []),
] as const;

/** A proxy that hides from the client what its key may do; it can also drop the responses to adds. */
async function openStrippingProxy(serviceUrl: string) {
  const { hostname, port } = new URL(serviceUrl);
  const state = { dropsAdds: false };
  const { url } = await startHttpServer((from, to) => {
    const { method, headers, url: target } = from;
    const onward = request({ hostname, port, method, headers, path: target }, (response) => {
      if (state.dropsAdds && method === 'POST') return void from.socket.destroy();
      const { 'petstore-key': _, 'www-authenticate': __, ...kept } = response.headers;
      to.writeHead(response.statusCode ?? 500, kept);
      response.pipe(to);
    });
    from.pipe(onward);
  });
  return { url, state };
}

async function openStore(createDatabase: (typeof engines)[number][1]) {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const service = await startService({ database: database.url });
  onTestFinished(service.close);
  const proxy = await openStrippingProxy(service.url);
  const details = { name: 'audit', access: 'read', createdAt: new Date() } as const;
  const { key: readKey } = await issueKey(service.store, details);
  const HOME = await createHome();
  const csv = path.join(HOME, 'delivery.csv');
  await writeFile(csv, 'name,categoryId\nRex,7\nLuna,3\n');
  const json = path.join(HOME, 'pet.json');
  await writeFile(json, '{"name":"Rex","categoryId":7}');
  const keychain = createFakeKeychain();
  const run = (line: string, env: Record<string, string>, stdin = '') =>
    runPetstore(line.replace('CSV', csv).replace('JSON', json).split(' '), {
      ...{ keychain, stdin },
      env: { HOME, ...env },
    });
  const countPets = async () =>
    JSON.parse((await service.store.listPets({ after: 0n, limit: 100 })).json).length;
  return { service, proxy, readKey, run, countPets };
}

const ways = [
  'add Rex --category 7',
  'add Rex --category 7 --idempotency-key lost',
  'add Rex --category 7 --retries 5 --no-history',
  'add --from JSON',
  'import CSV',
  'import CSV --resume',
  'import CSV --fresh --concurrency 8',
  'import - --format csv',
  'history settle',
];

describe.each(engines)('with a key that can only read, on %s,', (_, createDatabase) => {
  it('no command writes anything, whatever is known of the key', async () => {
    const { service, proxy, readKey, run, countPets } = await openStore(createDatabase);
    const lossy = { PETSTORE_STAGING_URL: proxy.url, PETSTORE_STAGING_API_KEY: service.key };
    proxy.state.dropsAdds = true;
    const line = 'add Rex --category 7 --idempotency-key lost --retries 0';
    expect(await run(line, lossy)).toMatchObject({ exitCode: 9 });
    proxy.state.dropsAdds = false;
    expect(await countPets()).toBe(1);
    const stored = { PETSTORE_STAGING_URL: service.url };
    expect((await run('auth login --key-stdin', stored, readKey)).exitCode).toBe(0);
    const unknown = { PETSTORE_STAGING_URL: proxy.url, PETSTORE_STAGING_API_KEY: readKey };
    for (const env of [stored, unknown])
      for (const way of ways) {
        const { exitCode } = await run(way, env, 'name,categoryId\nRex,7\n');
        expect({ way, exitCode }).not.toMatchObject({ exitCode: 0 });
        expect({ way, pets: await countPets() }).toEqual({ way, pets: 1 });
      }
    const client = createPetstoreClient({ baseUrl: proxy.url, apiKey: readKey });
    onTestFinished(() => client.close());
    await expect(client.createPet({ name: 'Rex', categoryId: 7n })).rejects.toMatchObject({
      ...{ outcome: 'not_applied', failure: { status: 403 } },
    });
    expect(await countPets()).toBe(1);
    // Nothing is lost: with a key that may write, the add of unknown outcome is settled, and the file is imported.
    expect((await run('history settle --json', lossy)).stdout).toContain('already_added');
    expect(await countPets()).toBe(1);
    expect(await run('import CSV --resume', lossy)).toMatchObject({ exitCode: 0 });
    expect(await countPets()).toBe(3);
  });
});
