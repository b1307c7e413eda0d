import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createFakeKeychain } from './fake-keychain.ts';
import { createHome, type RunOptions, runPetstore } from './run-program.ts';
import { startService, type TestService, type TestServiceOptions } from './service.ts';

const clock = new Date('2026-11-20T09:00:00Z');

/** A machine with a keychain whose staging and production are two services. */
export async function openMachine(overrides: TestServiceOptions['overrides'] = {}) {
  const [staging, production] = await Promise.all([startService({ overrides }), startService()]);
  onTestFinished(() => Promise.all([staging.close(), production.close()]).then(() => {}));
  const home = await createHome();
  const keychain = createFakeKeychain();
  const folder = path.join(home, '.config', 'petstore');
  const run = (line: string, options: RunOptions = {}) =>
    runPetstore(line.split(' '), {
      keychain,
      clock,
      ...options,
      env: {
        HOME: home,
        PETSTORE_STAGING_URL: staging.url,
        PETSTORE_PRODUCTION_URL: production.url,
        ...options.env,
      },
    });
  return {
    staging,
    production,
    keychain,
    run,
    home,
    keyFile: path.join(folder, 'keys.json'),
    readConfig: async () => JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8')),
    accountOf: (service: TestService, name = 'staging') => `${name}@${new URL(service.url).origin}`,
  };
}

export type Machine = Awaited<ReturnType<typeof openMachine>>;
