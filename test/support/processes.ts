import { readdir, readFile } from 'node:fs/promises';

/** Command lines of the processes that have this text in their environment: those a test started, and theirs. Linux only. */
export async function listProcesses(marker: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(ids.map((id) => readCommandLine(id, marker)));
  return found.filter((line) => line !== undefined);
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
