import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyDatabase, openDatabase } from '../databases.ts';
import type { Effort } from '../effort.ts';
import { measureCommands } from '../measure-commands.ts';
import type { Row } from '../report.ts';
import { type Load, runLoad } from '../run-load.ts';
import { startPetstore } from '../servers.ts';
import type { Server } from '../start-server.ts';
import { type Desk, listCommands } from '../startup-commands.ts';
import { median } from '../statistics.ts';
import { installRivals, startJsonServer } from './rivals.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const commands = ['list --json', 'add --json', 'standalone list --json', 'gh api', 'curl'];

/** Peak memory of short commands, and what a service holds before and after a load, beside what people would use instead. */
export async function measure({ seconds }: Effort): Promise<Row[]> {
  installRivals();
  const database = copyDatabase(await openDatabase(1_000), 'memory');
  const service = await startPetstore(database);
  const { server: rival, base, limit } = await startJsonServer();
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  try {
    const { key } = database;
    return [
      ...(await measureServer('serve', service, '/v1/pets?limit=20', { key, seconds })),
      ...(await measureServer('json-server', rival, `${base}/pets?${limit}=20`, { key, seconds })),
      ...(await measurePeaks({ folder, url: service.url, key, keyring: undefined })),
    ];
  } finally {
    await Promise.all([service.stop(), rival.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resident memory when nothing was asked yet, and when a load has just ended. */
async function measureServer(
  name: string,
  server: Server,
  page: string,
  options: { key: string; seconds: number },
): Promise<Row[]> {
  const load: Load = {
    name: `memory of ${name}`,
    requests: [{ path: page }],
    connections: CONNECTIONS,
  };
  const idle = await server.usage();
  await runLoad(server, load, options);
  const loaded = await server.usage();
  return [
    toRow(`${name}, idle`, idle.rss),
    toRow(`${name}, ${CONNECTIONS} connections reading a page`, loaded.rss),
  ];
}

async function measurePeaks(desk: Desk): Promise<Row[]> {
  const all = (await listCommands(desk)).filter(({ name }) => commands.includes(name));
  const taken = measureCommands(all, ROUNDS);
  return [...taken].map(([name, runs]) =>
    toRow(`${name}, peak`, median(runs.map(({ peak }) => peak)) * 1024),
  );
}

function toRow(what: string, bytes: number): Row {
  return { what: `${what}, memory`, figure: bytes / 1024 / 1024, unit: 'MB' };
}
