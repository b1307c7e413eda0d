import { readdir, readFile } from 'node:fs/promises';

/** Command lines of the processes that have this text in their environment: those a test started, and theirs. Linux only. */
export async function listProcesses(marker: string): Promise<string[]> {
  const found = await findProcesses(marker);
  return found.map(({ line }) => line);
}

/** The ids of these processes. */
export async function findProcessIds(marker: string): Promise<string[]> {
  const found = await findProcesses(marker);
  return found.map(({ id }) => id);
}

async function findProcesses(marker: string) {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => ({ id, line: await readCommandLine(id, marker) })),
  );
  return found.flatMap(({ id, line }) => (line === undefined ? [] : [{ id, line }]));
}

async function readCommandLine(id: string, marker: string): Promise<string | undefined> {
  try {
    const environment = await readFile(`/proc/${id}/environ`, 'utf8');
    if (!environment.includes(marker)) return undefined;
    return (await readFile(`/proc/${id}/cmdline`, 'utf8')).replaceAll('\0', ' ');
  } catch {
    // Gone meanwhile, or somebody else's.
    return undefined;
  }
}
