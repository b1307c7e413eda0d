import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { startHttpServer } from './http-server.ts';
import { connectTo, type PetstoreRun, type RunOptions, runPetstore } from './run-petstore.ts';
import { createTemporaryFolder } from './temporary-folder.ts';
import { runInTerminal, type TerminalSession } from './terminal-session.ts';

/** Where a person works with one service, as the environment `staging`. */
export interface Desk {
  readonly home: string;
  readonly variables: Readonly<Record<string, string>>;
  /** What the pets of `delivery.csv` are called, which nothing of another test is. */
  readonly names: readonly string[];
  run(words: string | readonly string[], options?: RunOptions): Promise<PetstoreRun>;
  /** Types a line at a terminal. */
  type(line: string): Promise<TerminalSession>;
  /** Writes a file of pets; a row is `Rex,7,sold`, or less of it. */
  write(rows: readonly string[], file?: string): Promise<void>;
}

/** Opens one with a file of pets. @param pets how many, or its rows. */
export async function openDesk(
  service: { readonly url: string; readonly key?: string },
  pets: number | readonly string[] = 3,
): Promise<Desk> {
  const home = await createTemporaryFolder();
  const variables = connectTo(service);
  const prefix = path.basename(home).replace(/.*-/, 'pet-');
  const count = typeof pets === 'number' ? pets : 0;
  const names = Array.from({ length: count }, (_, at) => `${prefix}-${at + 1}`);
  const write: Desk['write'] = async (rows, file = 'delivery.csv') => {
    const lines = ['name,category,status', ...rows].map((row) => `${row}\n`);
    await writeFile(path.join(home, file), lines.join(''));
  };
  await write(typeof pets === 'number' ? names.map((name) => `${name},7,`) : pets);
  return {
    ...{ home, variables, names, write },
    run: (words, options = {}) => runPetstore(words, { home, variables, ...options }),
    type: (line) => runInTerminal(line, { home, variables }),
  };
}

/** Runs petstore, as the environment `staging`, at a server that responds to every request like this. */
export async function runAt(
  respond: RequestListener,
  words: string | readonly string[],
  options: RunOptions = {},
): Promise<PetstoreRun> {
  const { url } = await startHttpServer(respond);
  return await runPetstore(words, { variables: connectTo({ url }), ...options });
}
