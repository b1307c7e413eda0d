import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Misbehavior } from '../support/misbehaviors/misbehavior.ts';
import { misbehaviors } from '../support/misbehaviors.ts';
import { startRawServer } from '../support/raw-server.ts';
import { createHome, runPetstore } from '../support/run-program.ts';
import { stagingAt } from '../support/staging.ts';
import { within } from '../support/within.ts';

const key = 'canary-key-0123456789';
/** On the clock, which goes on while a busy machine runs something else. */
const MAX_MS = 15_000;
/** Of the processor, which only this program and its servers use. */
const MAX_PROCESSOR_MS = 5_000;
const limits = ['--retries', '0', '--timeout'];

const commands = {
  list: ['list', '--json'],
  'list --all': ['list', '--all', '--ndjson'],
  get: ['get', '1', '--json'],
  add: ['add', 'Rex', '--category', '7', '--json'],
  import: ['import', 'pets.csv', '--json'],
};
type CommandName = keyof typeof commands;

function endingOf({ ending }: Misbehavior, command: CommandName): [number, string | undefined] {
  if (command === 'add' || command === 'import') return ending[command];
  return [ending[command === 'get' ? 'get' : 'list'], undefined];
}

/** An import first finds out whether keys are honored; its rows are what meets the server. */
function forImport({ respond }: Misbehavior): Misbehavior['respond'] {
  return (socket, request) => {
    if (request.method === 'POST') return respond(socket, request);
    socket.write(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]',
    );
  };
}

async function meet(misbehavior: Misbehavior, command: CommandName) {
  const isImport = command === 'import';
  const url = await startRawServer(isImport ? forImport(misbehavior) : misbehavior.respond);
  const HOME = await createHome();
  const file = path.join(HOME, 'pets.csv');
  if (isImport) await writeFile(file, 'name,categoryId\nRex,7\n');
  const argv = commands[command].map((word) => (word === 'pets.csv' ? file : word));
  const running = runPetstore([...argv, ...limits, misbehavior.timeout ?? '400ms'], {
    env: { ...stagingAt(url, key), HOME },
  });
  return await within(running, `${command} ends by its --timeout`, MAX_MS);
}

function parseLines(text: string): Record<string, unknown>[] {
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
}

describe(`${misbehaviors.length} misbehaviors of servers, each met by ${Object.keys(commands).length} commands`, () => {
  it.each(misbehaviors)('$name', async (misbehavior) => {
    const check = async (command: CommandName) => {
      const { stdout, stderr, exitCode } = await meet(misbehavior, command);
      const lines = parseLines(stderr);
      const error = lines.find(({ type }) => type === 'error');
      const [expected, outcome] = endingOf(misbehavior, command);
      expect({ command, exitCode, stderr }).toMatchObject({ command, exitCode: expected });
      if (outcome !== undefined && expected !== 0) expect(error).toMatchObject({ outcome });
      expect(error?.exitCode ?? 0).toBe(expected);
      // Whole records or nothing.
      if (command === 'list --all') parseLines(stdout);
      else if (stdout !== '') JSON.parse(stdout);
      expect(stdout + stderr).not.toContain(key);
      expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    };
    const before = process.cpuUsage();
    await Promise.all([
      check('list'),
      check('list --all'),
      check('get'),
      check('add'),
      check('import'),
    ]);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(MAX_PROCESSOR_MS);
  });
});
