import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readCursor } from '../cursors.ts';
import { copyDatabase, startPetstore } from '../databases.ts';
import { type Desk, describeCommand, describeDesk, plainScript } from '../desk.ts';
import type { Effort } from '../load.ts';
import { type Command, type Server, timeCommands, workFolder } from '../programs.ts';
import { compare, median, type Row } from '../report.ts';

const LISTED = 1_000_000;

const body = '{"name":"Rex","categoryId":7,"status":"available"}';

/** Whole files in, whole lists out, beside plain programs that check nothing. */
export async function measure({ rounds, runs }: Effort): Promise<Row[]> {
  const times = Math.ceil(rounds / 2);
  return [
    ...(await withService(1_000, async (desk) => [
      measureDelivery(desk, runs),
      measureImport(desk, times),
      measureCheck(desk, times),
    ])),
    ...(await withService(LISTED, async (desk, server) => [
      await measureList(desk, server, times),
    ])),
  ];
}

async function withService(
  rows: number,
  use: (desk: Desk, server: Server) => Promise<Row[]>,
): Promise<Row[]> {
  const database = copyDatabase(rows);
  const server = await startPetstore(database.url);
  try {
    return await use(describeDesk({ url: server.url, key: database.key }), server);
  } finally {
    await server.stop();
  }
}

/** A delivery as staff get it is beside curl too, which many a script would use. */
function measureDelivery(desk: Desk, times: number): Row {
  const rows = 500;
  const [own, undici] = describeImport(desk, rows);
  const post = [`url = "${desk.url}/pets"`, `header = "Authorization: Bearer ${desk.key}"`];
  const json = ['header = "Content-Type: application/json"', `data = ${JSON.stringify(body)}`];
  const posts = Array.from({ length: rows }, () => [...post, ...json].join('\n')).join('\nnext\n');
  const curl = describeCurl('posts', posts, ['--parallel', '--parallel-max', '16']);
  return timeRow(`import of a delivery, ${rows} pets`, { own, bound: undici, curl }, times);
}

function measureImport(desk: Desk, times: number): Row {
  const [own, bound] = describeImport(desk, 100_000);
  return timeRow('import of 100,000 pets', { own, bound }, times);
}

function describeImport(desk: Desk, rows: number): [Command, Command] {
  const file = writeDelivery(rows);
  const words = ['import', file, '--again', '-e', 'staging'];
  const undici = {
    name: 'undici',
    words: [process.execPath, plainScript, 'loop', `${desk.url}/pets`, file],
    variables: { PETSTORE_API_KEY: desk.key },
  };
  return [describeCommand(desk, 'import', words), undici];
}

/** The check of a whole file comes before its first pet is sent. */
function measureCheck(desk: Desk, times: number): Row {
  const file = writeDelivery(1_000_000);
  const own = describeCommand(desk, 'check', ['import', file, '--dry-run', '-e', 'staging']);
  const words = [process.execPath, plainScript, 'parse', file];
  return timeRow('check of a million rows', { own, bound: { name: 'csv-parse', words } }, times);
}

/** curl gets the same pages over one connection. */
async function measureList(desk: Desk, server: Server, times: number): Promise<Row> {
  const own = describeCommand(desk, 'list', ['list', '--all', '--ndjson', '-e', 'staging']);
  const cursorOf = await readCursor(server.url, desk.key);
  const lines = [
    `header = "Authorization: Bearer ${desk.key}"`,
    `url = "${desk.url}/pets?limit=100"`,
  ];
  for (let after = 100; after < LISTED; after += 100)
    lines.push(`url = "${desk.url}/pets?limit=100&cursor=${cursorOf(after)}"`);
  const curl = describeCurl('pages', lines.join('\n'));
  return timeRow('list --all of a million pets', { own, curl }, times);
}

function describeCurl(name: string, config: string, options: readonly string[] = []): Command {
  const file = path.join(workFolder, `${name}.curl`);
  writeFileSync(file, config);
  return { name: 'curl', words: ['curl', '-sS', '--fail', ...options, '-K', file] };
}

function writeDelivery(rows: number): string {
  const file = path.join(workFolder, `delivery-${rows}.csv`);
  const lines = Array.from({ length: rows }, (_, at) => `Rex ${at},${(at % 50) + 1},available`);
  writeFileSync(file, `name,categoryId,status\n${lines.join('\n')}\n`);
  return file;
}

interface Timed {
  readonly own: Command;
  readonly bound?: Command;
  readonly curl?: Command;
}

function timeRow(what: string, { own, bound, curl }: Timed, times: number): Row {
  const taken = timeCommands([own, bound ?? [], curl ?? []].flat(), times);
  const seconds = (name: string) => (taken.get(name) ?? []).map(({ wall }) => wall / 1_000);
  const beside = (command: Command) =>
    compare(command.name, seconds(own.name), seconds(command.name));
  return {
    what,
    figure: median(seconds(own.name)),
    unit: 's',
    bound: bound && beside(bound),
    others: curl ? [beside(curl)] : [],
    also: { 'peak MB': median((taken.get(own.name) ?? []).map(({ peak }) => peak)) },
  };
}
