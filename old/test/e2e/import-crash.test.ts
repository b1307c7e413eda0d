import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtCommand, windowsProgram } from '../support/built-program.ts';
import { openShop, type Shop } from '../support/import-shop.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { makeFolder } from '../support/make-folder.ts';
import { createHome } from '../support/run-program.ts';
import { findMountObstacle, mountSmallDisk } from '../support/small-disk.ts';
import { stagingAt } from '../support/staging.ts';

/** Imports that something happens to, in all: few in the whole suite, many in `npm run test:import-crash`. */
const ROUNDS = Number(process.env.PETSTORE_TEST_ROUNDS ?? 4);
/** Of one kind of mishap. */
const IMPORTS = Math.ceil(ROUNDS / 4);
const AT_ONCE = ROUNDS > 4 ? 50 : 6;
/** More than one group of staged rows. */
const ROWS = ROUNDS > 4 ? 1_500 : 700;
/** Crashes within a round before the import is left alone to finish. */
const CRASHES = 3;
/** The part of the responses that the proxy loses. */
const LOSS = 0.05;
/** In Wine the connection to a killed service may stay open, and no response comes. */
const attemptFlags = windowsProgram === undefined ? [] : ['--timeout', '10s'];
const TIMEOUT = 60_000 + IMPORTS * 30_000;

/** A file of its own and a machine of its own, from which it is imported. */
async function writeFileOfPets(prefix: string, rows = ROWS) {
  const names = Array.from({ length: rows }, (_, row) => `${prefix}${row}`);
  const file = path.join(await makeFolder(), 'pets.csv');
  await writeFile(file, `name,categoryId\n${names.map((name) => `"${name}",1\n`).join('')}`);
  return { file, home: await createHome(), names: names.sort() };
}

type PetFile = Awaited<ReturnType<typeof writeFileOfPets>>;

function startImport(
  { file, home }: PetFile,
  env: Record<string, string>,
  resume: readonly string[] = ['--resume'],
) {
  const [program = '', ...words] = builtCommand;
  const flags = [...resume, '--concurrency', '8', '--quiet', ...attemptFlags];
  const child = spawn(program, [...words, 'import', file, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, ...env },
  });
  child.stdout.resume();
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Lets an import end by itself and resumes it until everything is added. */
async function finishImport(pets: PetFile, env: Record<string, string>): Promise<string[]> {
  const ends: string[] = [];
  for (let run = 1; run <= 20; run += 1) {
    const child = startImport(pets, env);
    const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    ends.push(`exit ${child.exitCode}: ${said}`);
    if (child.exitCode === 0) return ends;
  }
  throw new Error(`it never finished\n${ends.join('\n')}`);
}

/** Milliseconds that an import takes with its start when nothing goes wrong. */
async function measureImport(env: Record<string, string>): Promise<number> {
  const pets = await writeFileOfPets('calm-');
  const start = performance.now();
  await finishImport(pets, env);
  return performance.now() - start;
}

/** Resolves when the import has printed the ids of so many pets. */
function waitForIds({ stdout }: ChildProcess, count: number): Promise<void> {
  let printed = 0;
  return new Promise((resolve) => {
    stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString().split('\n').length - 1;
      if (printed >= count) resolve();
    });
  });
}

/** Kills the import at random moments of its life, then lets it finish. Returns how many kills found it alive. */
async function killAndResume(
  pets: PetFile,
  env: Record<string, string>,
  duration: number,
): Promise<number> {
  let kills = 0;
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const child = startImport(pets, env);
    const exited = once(child, 'exit');
    // Once while rows are surely being sent, then at any moment, the start and the end included.
    const moment =
      crash === 0 ? waitForIds(child, Math.random() * ROWS * 0.6) : pause(Math.random() * duration);
    await Promise.race([moment, exited]);
    child.kill('SIGKILL');
    await exited;
    if (child.signalCode === 'SIGKILL') kills += 1;
  }
  await finishImport(pets, env);
  return kills;
}

/** What is killed, at random moments, while one file is imported. */
type Havoc = (desk: Desk, pets: PetFile) => Promise<unknown>;

interface Desk {
  shop: Shop;
  env: Record<string, string>;
  /** Of an import that nothing happens to, in milliseconds. */
  duration: number;
}

async function crashService({ shop, duration }: Desk): Promise<void> {
  for (let crash = 0; crash < CRASHES; crash += 1) {
    await pause(Math.random() * duration);
    await shop.crash();
  }
}

const killClient: Havoc = ({ env, duration }, pets) => killAndResume(pets, env, duration);

const havocs: readonly (readonly [string, Havoc])[] = [
  [
    'the import is killed',
    async (desk, pets) => expect(await killClient(desk, pets)).toBeGreaterThan(0),
  ],
  [
    'the service is killed and started again',
    (desk, pets) => Promise.all([finishImport(pets, desk.env), crashService(desk)]),
  ],
  ['both are killed', (desk, pets) => Promise.all([killClient(desk, pets), crashService(desk)])],
  [
    `the import is killed and ${LOSS * 100} % of the responses are lost`,
    async (desk, pets) => {
      const proxy = await startLossyProxy(desk.shop.url, LOSS);
      await killClient({ ...desk, env: stagingAt(proxy.url, desk.shop.key) }, pets);
      expect(proxy.lost()).toBeGreaterThan(ROWS * LOSS * 0.3);
    },
  ],
];

describe('no pet is missing and none is there twice', () => {
  let shop: Shop;
  let env: Record<string, string>;
  let duration: Promise<number> | undefined;
  beforeAll(async () => {
    shop = await openShop();
    env = stagingAt(shop.url, shop.key);
  });
  afterAll(() => shop?.close());

  it.each(havocs)(
    `when %s, imports: ${IMPORTS}`,
    async (havoc, wreak) => {
      duration ??= measureImport(env);
      const desk = { shop, env, duration: await duration };
      for (let round = 0; round < IMPORTS; round += 1) {
        const prefix = `${havoc}, round ${round}, row `;
        const pets = await writeFileOfPets(prefix);
        await wreak(desk, pets);
        expect(await shop.listNames(prefix)).toEqual(pets.names);
      }
    },
    TIMEOUT,
  );

  const obstacle = findMountObstacle();
  it.skipIf(obstacle !== undefined)(
    'when the disk is full in the middle of an import',
    async () => {
      const disk = await mountSmallDisk('4m');
      const pets = { ...(await writeFileOfPets('full-', 10 * ROWS)), home: disk.folder };
      const child = startImport(pets, env);
      const ended = Promise.all([text(child.stderr), once(child, 'exit')]);
      await waitForIds(child, ROWS);
      // Or it might end before the disk is full.
      child.kill('SIGSTOP');
      await disk.fill();
      child.kill('SIGCONT');
      const [said] = await ended;
      expect(child.exitCode).toBe(10);
      expect(said).toContain('the disk is full');
      expect(said).toContain(`petstore import ${pets.file} --resume --env staging`);
      await disk.free();
      await finishImport(pets, env);
      expect(await shop.listNames('full-')).toEqual(pets.names);
    },
    TIMEOUT,
  );

  it(
    `when one file is imported ${AT_ONCE} times at once: one import runs, the others say so`,
    async () => {
      const pets = await writeFileOfPets('once-');
      const runs = Array.from({ length: AT_ONCE }, async () => {
        const child = startImport(pets, env, []);
        const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
        return { exitCode: child.exitCode, said };
      });
      const ends = await Promise.all(runs);
      expect(ends.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
      const refused = {
        exitCode: 3,
        said: expect.stringMatching(/is being imported by another process|was imported before/),
      };
      for (const end of ends) if (end.exitCode !== 0) expect(end).toEqual(refused);
      expect(await shop.listNames('once-')).toEqual(pets.names);
    },
    TIMEOUT,
  );
});
