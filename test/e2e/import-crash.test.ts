import { appendFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connectTo, runPetstore, startPetstore } from '../support/run-petstore.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
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
  const variables = connectTo({ url: service.url, key });
  return { home, key, url: service.url, restart, variables };
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

it.each([
  ['two people', createTemporaryFolder],
  ['two terminals of one person', async (home: string) => home],
] as const)('adds a file once that %s import at the same time', async (_, findOther) => {
  const { home, key, url, variables } = await openDesk();
  const file = await writeDelivery(home, 'twice');
  const homes = [home, await findOther(home)];
  await Promise.all(homes.map((one) => runPetstore(['import', file], { home: one, variables })));
  expect((await readPets(url, key)).size).toBe(ROWS);
});

it.each(['client', 'service', 'both'] as const)(
  'is finished by --new after the file has grown, and adds nothing twice, when the %s is killed',
  async (killed) => {
    const { home, key, url, restart, variables } = await openDesk();
    let expected = 0;
    for (let round = 0; round < rounds; round += 1) {
      const file = await writeDelivery(home, `grown-${round}`);
      const first = await startPetstore(['import', file], { home, variables });
      await pause(150 + Math.random() * 500);
      if (killed !== 'service') first.child.kill('SIGKILL');
      if (killed !== 'client') await restart();
      await first.ended;
      await appendFile(
        file,
        Array.from({ length: 10 }, (_, at) => `more-${round}-${at},7,\n`).join(''),
      );
      const second = await runPetstore(['import', file, '--new'], { home, variables });
      // Stopped before it was recorded, and so before anything was sent: there is nothing to compare with.
      const isFirst = second.stderr.includes('No import of');
      if (isFirst) expect((await readPets(url, key)).size).toBe(expected);
      const last = isFirst ? await runPetstore(['import', file], { home, variables }) : second;
      expected += ROWS + 10;
      expect(last).toMatchObject({ exitCode: 0 });
      expect((await readPets(url, key)).size).toBe(expected);
    }
  },
  900_000,
);

it.each(['another computer', 'a lost record'])(
  'is finished under the same keys, and adds nothing twice, by %s',
  async (kind) => {
    const { home, key, url, variables } = await openDesk();
    const file = await writeDelivery(home, 'elsewhere');
    const first = await startPetstore(['import', file], { home, variables });
    await pause(300 + Math.random() * 300);
    first.child.kill('SIGKILL');
    await first.ended;
    if (kind === 'a lost record')
      await rm(path.join(home, '.local'), { recursive: true, force: true });
    const other = kind === 'a lost record' ? home : await createTemporaryFolder();
    expect(await runPetstore(['import', file], { home: other, variables })).toMatchObject({
      exitCode: 0,
    });
    expect((await readPets(url, key)).size).toBe(ROWS);
    const again = await runPetstore(['import', file], { variables });
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('none was added') });
    expect((await readPets(url, key)).size).toBe(ROWS);
  },
);
