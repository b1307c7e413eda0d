import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { createHome, type RunOptions, runPetstore } from '../../support/run-program.ts';
import { startService } from '../../support/service.ts';

export const threePets =
  'name,categoryId,status\nRex,4,sold\nMia,5,\nTom,9007199254740993,pending\n';

/** Two environments with a service of their own, and a folder with a file to import. */
export async function setUp(content = threePets, name = 'pets.csv') {
  const staging = await startService();
  const production = await startService();
  onTestFinished(async () => {
    await Promise.all([staging.close(), production.close()]);
  });
  const file = path.join(await makeFolder(), name);
  await writeFile(file, content);
  const env = {
    HOME: await createHome(),
    PETSTORE_STAGING_URL: staging.url,
    PETSTORE_STAGING_API_KEY: staging.key,
    PETSTORE_PRODUCTION_URL: production.url,
    PETSTORE_PRODUCTION_API_KEY: production.key,
  };
  const run = (line: string, options: RunOptions = {}) =>
    runPetstore(
      line.split(' ').map((word) => (word === 'FILE' ? file : word)),
      { ...options, env: { ...env, ...options.env } },
    );
  const list = async (environment = 'staging') => {
    const { stdout } = await run(`list --all --ndjson --env ${environment}`);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => line.replace(/^\{"id":\d+,/, '{')).sort();
  };
  return { staging, production, file, env, run, list };
}

/** Another implementation of the contract, in place of staging. */
export async function startOther(listener: RequestListener): Promise<Record<string, string>> {
  const { url } = await startHttpServer(listener);
  return { PETSTORE_STAGING_URL: url, PETSTORE_STAGING_API_KEY: 'any-key-at-all' };
}

/** Where imports are staged. */
export function findStateFolder({ HOME }: { HOME: string }): string {
  return path.join(HOME, '.local/state/petstore/imports');
}

/**
 * Another implementation that honors idempotency keys, in place of staging. It refuses pets named `refused …`.
 * @param onPost called with the number of requests so far, before the response.
 */
export async function startKeeper(onPost: (count: number) => void | Promise<void> = () => {}) {
  const names = new Map<string, string>();
  let sent = 0;
  const env = await startOther(async (request, response) => {
    const body = await text(request);
    response.setHeader('petstore-idempotency', '7d').setHeader('content-type', 'application/json');
    if (request.method !== 'POST') return void response.end('[]');
    sent += 1;
    await onPost(sent);
    const isRefused = body.includes('"refused');
    const error = '{"code":"category_full","message":"no more of these","status":400}';
    if (!isRefused) names.set(String(request.headers['idempotency-key']), body);
    response.writeHead(isRefused ? 400 : 201);
    response.end(isRefused ? error : body.replace('{', `{"id":${sent},`));
  });
  return { env, names: () => [...names.values()], sent: () => sent };
}
