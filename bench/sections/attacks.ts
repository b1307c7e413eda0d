import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Attack, attacks, type Target } from '../attacks.ts';
import { createKey, startPetstore } from '../databases.ts';
import { type Server, workFolder } from '../programs.ts';
import type { Row } from '../report.ts';

const PETS = 200;

/** Each attack: peak memory, how soon `/healthz` responds after it, and acknowledged pets that are gone. */
export async function measure(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [at, attack] of attacks.entries()) {
    const url = `sqlite:${path.join(workFolder, `attack-${at}.db`)}`;
    const key = createKey(url);
    rows.push(await measureAttack(attack, await startPetstore(url), key));
  }
  return rows;
}

async function measureAttack(attack: Attack, service: Server, key: string): Promise<Row> {
  const target = { port: Number(new URL(service.url).port), pid: service.pid, key };
  const acknowledged = await addPets(target);
  await attack.run(target);
  const health = await askHealth(target);
  const lost = acknowledged.length - (await countKept(target, acknowledged));
  const peak = readPeak(target);
  const start = performance.now();
  await service.stop();
  const stop = (performance.now() - start) / 1_000;
  const also = { '/healthz ms': health, 'seconds to stop': stop, lost };
  return { what: attack.name, figure: peak, unit: 'MB at most', also };
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
