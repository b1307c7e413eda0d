import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Attack, attacks, type Target } from '../attacks.ts';
import { cleanEnvironment, workFolder } from '../programs.ts';
import { printRows, type Row } from '../report.ts';

const PETS = 200;

const program = path.resolve(import.meta.dirname, '../../bin/petstore.js');

/** Each attack: peak memory, how soon `/healthz` responds after it, and acknowledged pets that are gone. */
export async function measure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const attack of attacks) {
    const row = await measureAttack(attack);
    printRows(attack.name, [row]);
    rows.push(row);
  }
  return rows;
}

async function measureAttack(attack: Attack): Promise<Row> {
  const own = await attack.open?.();
  const database = own?.url ?? createFile();
  const create = ['keys', 'create', '--name', 'attack'];
  // In a variable: the URL of PostgreSQL holds a password.
  const env = cleanEnvironment({ PETSTORE_SERVE_DATABASE: database });
  const created = await promisify(execFile)(process.execPath, [program, ...create], { env });
  const key = created.stdout.trim();
  const service = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const target = { port: await findPort(service.stderr), pid: service.pid ?? 0, key };
    service.stderr.resume();
    const acknowledged = await addPets(target);
    const ended = once(service, 'exit').then(() => performance.now());
    const start = performance.now();
    await attack.run(target);
    const isStop = attack.name.startsWith('SIGTERM');
    if (isStop) {
      const seconds = ((await ended) - start) / 1_000;
      return {
        what: attack.name,
        figure: seconds,
        unit: 's to its end',
        goal: { atMost: 10 },
      };
    }
    const health = await askHealth(target);
    const kept = await countKept(target, acknowledged);
    return {
      what: attack.name,
      figure: readPeak(target),
      unit: 'MB',
      goal: { atMost: 400 },
      measured: { '/healthz ms': health, lost: acknowledged.length - kept },
    };
  } finally {
    service.kill('SIGKILL');
    await own?.close();
  }
}

function createFile(): string {
  const file = path.join(workFolder, 'attack.db');
  for (const suffix of ['', '-wal', '-shm', '-lock']) rmSync(file + suffix, { force: true });
  return `sqlite:${file}`;
}

async function findPort(log: NodeJS.ReadableStream): Promise<number> {
  const lines = createInterface({ input: log });
  for await (const line of lines) {
    const port = /http:\/\/[\w.]+:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('The service did not start.');
}

async function addPets({ port, key }: Target): Promise<string[]> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const add = async () => {
    const body = `{"name":"${'Rex '.repeat(30)}","categoryId":7}`;
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets`, {
      method: 'POST',
      headers,
      body,
    });
    return /"id":(\d+)/.exec(await response.text())?.[1] ?? '';
  };
  return await Promise.all(Array.from({ length: PETS }, add));
}

async function countKept({ port, key }: Target, ids: readonly string[]): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` };
  const statuses = [];
  for (const id of ids)
    statuses.push((await fetch(`http://127.0.0.1:${port}/v1/pets/${id}`, { headers })).status);
  return statuses.filter((status) => status === 200).length;
}

/** Milliseconds until a new connection gets a response. */
async function askHealth({ port }: Target): Promise<number> {
  const start = performance.now();
  await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(30_000) });
  return performance.now() - start;
}

function readPeak({ pid }: Target): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
