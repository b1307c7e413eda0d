import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { createHome, runPetstore } from '../support/run-program.ts';
import { startService, type TestService } from '../support/service.ts';
import { stagingAt } from '../support/staging.ts';

export const clock = new Date('2026-11-20T09:30:00.000Z');

/** A machine whose staging is a real service with two pets, and a folder with files to import. */
export async function openMachine() {
  const service = await startService({
    pets: [
      { name: 'Rex', categoryId: 7n },
      { name: 'Luna', categoryId: 9007199254740993n, status: 'sold' },
    ],
  });
  onTestFinished(() => service.close());
  const folder = await makeFolder();
  await writeFile(path.join(folder, 'delivery.csv'), 'name,categoryId\nBello,1\nNemo,2\n');
  await writeFile(path.join(folder, 'broken.csv'), 'name,categoryId\nBello,1\n,cats\n');
  const HOME = await createHome();
  const database = `sqlite:${path.join(folder, 'pets.db')}`;
  const env = { ...stagingAt(service.url, service.key), HOME, PETSTORE_SERVE_DATABASE: database };
  const clean = (text: string) =>
    normalize(text, service, { [folder]: '/deliveries', [HOME]: '/home/ann' });
  return {
    clean,
    database,
    async run(line: string, more: Record<string, string> = {}) {
      const argv = line.replaceAll('DIR', folder).split(' ');
      const run = await runPetstore(argv, { env: { ...env, ...more }, clock, stdin: service.key });
      return { stdout: clean(run.stdout), stderr: clean(run.stderr), exitCode: run.exitCode };
    },
  };
}

/** What differs from run to run is replaced by what the documentation shows. */
function normalize(text: string, service: TestService, places: Record<string, string>): string {
  const renamed = Object.entries({ ...places, [service.url]: 'http://127.0.0.1:8080/v1' }).reduce(
    (result, [from, to]) => result.replaceAll(from, to),
    text.replaceAll(`"lastFour":"${service.key.slice(-4)}"`, '"lastFour":"a1b2"'),
  );
  return renamed
    .replaceAll(`ending ${service.key.slice(-4)}`, 'ending a1b2')
    .replace(/http:\/\/127\.0\.0\.1:(?!8080\/)\d+/g, 'http://127.0.0.1:8080')
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g,
      '5a2b3d92-f492-412c-ac87-d7a147d8fef3',
    )
    .replace(/pst_[0-9A-Za-z]{49}/g, `pst_${'0'.repeat(49)}`)
    .replace(/"id":"[0-9a-f]{24}"/g, '"id":"5a2b3d92f492412cac87d7a1"')
    .replace(/"importId":"[0-9a-f]{16}"/g, '"importId":"5a2b3d92f492412c"')
    .replace(/[0-9a-f]{64}/g, '6f'.repeat(32))
    .replace(/\([0-9a-f]{12}\)/g, `(${'6f'.repeat(6)})`)
    .replace(/petstore-cli\/[\d.]+/g, 'petstore-cli/0.2.0')
    .replace(/Node \d+\.\d+\.\d+/g, 'Node 20.19.0')
    .replace(/"seconds":[\d.]+/g, '"seconds":0.5')
    .replace(/\d+ ms\)/g, '12 ms)');
}
