import { appendFile, rm, writeFile } from 'node:fs/promises';
import { type ServerResponse, request as sendRequest } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { connectTo, runPetstore, startPetstore } from '../support/run-petstore.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { readPets } from './add-load.ts';

const rounds = Number(process.env.PETSTORE_TEST_ROUNDS ?? 1);
const ROWS = 240;

/** The add before which a round kills: the first, in the middle, and around the hundredth, after which many go at once. */
const places = [150, 1, 99, 101, 230] as const;
const placeOf = (round: number) => places[round % places.length] ?? 1;

/** A service with one key, behind a gate, and a person's home. */
async function openShop() {
  const home = await createTemporaryFolder();
  const database = `sqlite:${path.join(home, 'petstore.db')}`;
  const create = ['keys', 'create', '--name', 'till', '--database', database];
  const key = (await runPetstore(create)).stdout.trim();
  let service: ServeProcess = await startServe(database);
  const { url } = service;
  const restart = async () => {
    await service.kill();
    service = await startServe(database, ['--port', new URL(url).port]);
  };
  const { holdAt, ...gate } = await openGate(url);
  const variables = connectTo({ url: gate.url, key });
  const count = async () => (await readPets(url, key)).size;

  /** Kills in the middle of an import: its n-th add is neither stored nor refused, and those behind it wait for it. */
  async function killAt(n: number, file: string, killed: 'client' | 'service' | 'both') {
    const before = await count();
    const held = holdAt(n);
    const { child, ended } = await startPetstore(['import', file], { home, variables });
    const letGo = await held;
    const added = (await count()) - before;
    expect(Math.abs(added - n)).toBeLessThanOrEqual(16);
    if (killed !== 'service') child.kill('SIGKILL');
    if (killed !== 'client') await restart();
    letGo();
    await ended;
  }
  return { home, variables, count, killAt };
}

/** Stands in front of a service, and holds back an add and all later ones until they are let go: lost connections. */
async function openGate(target: string) {
  let left = Number.POSITIVE_INFINITY;
  let hold: (letGo: () => void) => void = () => {};
  const held: ServerResponse[] = [];
  const letGo = () => {
    left = Number.POSITIVE_INFINITY;
    for (const response of held.splice(0)) response.destroy();
  };
  const { url } = await startHttpServer((request, response) => {
    if (request.method === 'POST') left -= 1;
    if (request.method === 'POST' && left <= 0) {
      held.push(response);
      return hold(letGo);
    }
    const { method, headers } = request;
    const sent = sendRequest(
      new URL(request.url ?? '', target),
      { method, headers },
      (received) => {
        response.writeHead(received.statusCode ?? 502, received.headers);
        received.pipe(response);
      },
    );
    sent.on('error', () => response.destroy());
    request.pipe(sent);
  });
  const holdAt = (n: number) =>
    new Promise<() => void>((resolve) => {
      left = n;
      hold = resolve;
    });
  return { url, holdAt };
}

async function writeDelivery(folder: string, name: string): Promise<string> {
  const file = path.join(folder, `${name}.csv`);
  const rows = Array.from({ length: ROWS }, (_, at) => `${name}-${at},7,available\n`);
  await writeFile(file, `name,category,status\n${rows.join('')}`);
  return file;
}

it.each(
  (['client', 'service', 'both'] as const).flatMap((killed) => [
    { killed, how: 'the same line', grows: false },
    { killed, how: '--new after the file has grown', grows: true },
  ]),
)(
  'is finished by $how, and adds nothing twice, when the $killed is killed',
  async (one) => {
    const { killed, grows } = one;
    const { home, variables, count, killAt } = await openShop();
    const more = grows ? 10 : 0;
    for (let round = 0; round < rounds; round += 1) {
      const file = await writeDelivery(home, `round-${round}`);
      // Before the first row is sent, too, there is a record to compare with.
      await killAt(placeOf(grows ? round + 1 : round), file, killed);
      for (let at = 0; at < more; at += 1) await appendFile(file, `more-${round}-${at},7,\n`);
      const words = ['import', file, ...(grows ? ['--new'] : [])];
      expect(await runPetstore(words, { home, variables })).toMatchObject({ exitCode: 0 });
      expect(await count()).toBe((round + 1) * (ROWS + more));
    }
  },
  900_000,
);

it.each([
  ['two people', createTemporaryFolder],
  ['two terminals of one person', async (home: string) => home],
] as const)('adds a file once that %s import at the same time', async (_, findOther) => {
  const { home, variables, count } = await openShop();
  const file = await writeDelivery(home, 'twice');
  const homes = [home, await findOther(home)];
  await Promise.all(homes.map((one) => runPetstore(['import', file], { home: one, variables })));
  expect(await count()).toBe(ROWS);
});

it.each([
  ['another computer', createTemporaryFolder],
  [
    'a lost record',
    async (home: string) => {
      await rm(path.join(home, '.local'), { recursive: true, force: true });
      return home;
    },
  ],
] as const)(
  'is finished under the same keys, and adds nothing twice, by %s',
  async (_, findOther) => {
    const { home, variables, count, killAt } = await openShop();
    const file = await writeDelivery(home, 'elsewhere');
    await killAt(150, file, 'client');
    const other = await findOther(home);
    const finished = await runPetstore(['import', file], { home: other, variables });
    expect(finished).toMatchObject({ exitCode: 0 });
    expect(await count()).toBe(ROWS);
    const again = await runPetstore(['import', file], { variables });
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('none was added') });
    expect(await count()).toBe(ROWS);
  },
);
