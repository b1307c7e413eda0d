import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { runPetstore, startPetstore } from '../support/run-petstore.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { openTerminalSession } from '../support/terminal-session.ts';
import { waitFor } from '../support/wait-for.ts';
import { readPets } from './add-load.ts';

const rounds = Number(process.env.PETSTORE_TEST_ROUNDS ?? 1);
const ROWS = rounds > 1 ? 3_000 : 600;

/** A store with one key, a file of pets that no other round has, and a person's home. */
async function openDesk() {
  const home = await createTemporaryFolder();
  const database = `sqlite:${path.join(home, 'petstore.db')}`;
  const create = ['keys', 'create', '--name', 'till', '--database', database];
  const key = (await runPetstore(create)).stdout.trim();
  let service: ServeProcess = await startServe(database);
  const port = new URL(service.url).port;
  const restart = async () => {
    await service.kill();
    service = await startServe(database, ['--port', port]);
  };
  const variables = { PETSTORE_STAGING_URL: service.url, PETSTORE_API_KEY: key };
  return { home, key, url: service.url, restart, variables, database };
}

async function writeDelivery(folder: string, name: string): Promise<string> {
  const file = path.join(folder, `${name}.csv`);
  const rows = Array.from({ length: ROWS }, (_, at) => `${name}-${at},7,available\n`);
  await writeFile(file, `name,category,status\n${rows.join('')}`);
  return file;
}

it.each(['client', 'service', 'both'] as const)(
  'is finished by the same line, and adds nothing twice, when the %s is killed',
  async (killed) => {
    const { home, key, url, restart, variables } = await openDesk();
    let expected = 0;
    for (let round = 0; round < rounds; round += 1) {
      const file = await writeDelivery(home, `round-${round}`);
      const first = await startPetstore(['import', file], { home, variables });
      // At another point of the import in each round.
      await pause(150 + Math.random() * 500);
      if (killed !== 'service') first.child.kill('SIGKILL');
      if (killed !== 'client') await restart();
      await first.ended;
      const second = await runPetstore(['import', file], { home, variables });
      expected += ROWS;
      expect(second).toMatchObject({ exitCode: 0 });
      expect((await readPets(url, key)).size).toBe(expected);
    }
  },
  900_000,
);

it('adds a file once when two people import it at the same time', async () => {
  const { home, key, url, variables } = await openDesk();
  const file = await writeDelivery(home, 'twice');
  const homes = [home, await createTemporaryFolder()];
  await Promise.all(homes.map((one) => runPetstore(['import', file], { home: one, variables })));
  expect((await readPets(url, key)).size).toBe(ROWS);
});

it('adds nothing on another computer, and says so', async () => {
  const { home, key, url, variables } = await openDesk();
  const file = await writeDelivery(home, 'elsewhere');
  expect(await runPetstore(['import', file], { home, variables })).toMatchObject({ exitCode: 0 });
  const other = await runPetstore(['import', file], { variables });
  expect(other).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('--again') });
  expect((await readPets(url, key)).size).toBe(ROWS);
});

it('adds nothing twice when what another computer began is stopped here, and repeated after its keys are forgotten', async () => {
  const { home, key, url, variables, database } = await openDesk();
  const file = path.join(home, 'both.csv');
  // Enough to be stopped on the way.
  const rows = Array.from({ length: 20_000 }, (_, at) => `both-${at},7\n`);
  await writeFile(file, `name,category\n${rows.join('')}`);
  const first = await startPetstore(['import', file], { home, variables });
  await waitFor(async () => expect((await readPets(url, key)).size).toBeGreaterThan(100));
  first.child.kill('SIGKILL');
  await first.ended;
  const here = await openTerminalSession({ variables });
  await here.run(`petstore import ${file}`);
  await here.waitForText('(Y/n)');
  await here.press('Enter');
  await here.waitForText('added from another computer');
  await here.press('Down', 'Enter');
  // Progress is shown once the prompt has given the terminal back.
  await here.waitForText(/✔ These pets.*of 20,000/s);
  await here.press('C-c');
  expect(await here.waitForEnd()).toContain('look at what is there');
  const before = (await readPets(url, key)).size;
  forgetKeys(database);
  await here.clear();
  await here.run(`petstore import ${file} --no-input`);
  expect(await here.waitForEnd()).toContain('exit 3');
  expect((await readPets(url, key)).size).toBe(before);
});

/** As after seven days. */
function forgetKeys(database: string): void {
  const connection = new DatabaseSync(database.replace('sqlite:', ''));
  connection.exec('UPDATE idempotency_keys SET created_at = 0');
  connection.close();
}
