import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const source = '/usr/share/i18n/locales/de_DE';

/** Why no German locale can be made here; undefined when it can. @throws when CI is true */
export function findLocaleObstacle(): string | undefined {
  if (existsSync(source)) return undefined;
  const reason = 'no sources of locales: install them (Debian: locales)';
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

/** The locale de_DE.UTF-8 in a folder of its own, which LOCPATH names to a program. */
export async function makeGermanLocale(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-locale-'));
  // The server of the tests may be run by another user.
  await chmod(folder, 0o755);
  // Only messages are asked of it; to compile its order of letters would take most of the time.
  const unordered = (await readFile(source, 'utf8')).replace(
    /^LC_COLLATE$.*?^END LC_COLLATE$/ms,
    'LC_COLLATE\ncopy "POSIX"\nEND LC_COLLATE',
  );
  const input = path.join(folder, 'de_DE');
  await writeFile(input, unordered);
  await run('localedef', ['-i', input, '-f', 'UTF-8', path.join(folder, 'de_DE.UTF-8')]);
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
