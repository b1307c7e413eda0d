import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canRun } from '../support/can-run.ts';
import { makeFolder } from '../support/make-folder.ts';
import { startService } from '../support/service.ts';
import { openShell } from '../support/shell.ts';
import { stagingAt } from '../support/staging.ts';

const ROWS = 20_000;

describe.skipIf(!canRun('tmux'))('import in a real terminal', () => {
  it('Ctrl-C: requests in flight are finished, the line that resumes is shown, 130, the terminal as before', async () => {
    const service = await startService();
    onTestFinished(service.close);
    const file = path.join(await makeFolder(), 'pets.csv');
    const rows = Array.from({ length: ROWS }, (_, row) => `Pet ${row},1\n`);
    await writeFile(file, `name,categoryId\n${rows.join('')}`);
    const shell = await openShell(stagingAt(service.url, service.key));
    await shell.run('stty -g > ~/before');
    await shell.run(`petstore import ${file} --concurrency 2`);
    await shell.waitForText(`? Add ${ROWS} pets to staging?`);
    await shell.answer('y');
    await shell.waitForText(/[█░]{5,} {2}Adding: [\d,]+ of 20,000, [\d,]+\/s, .* left/);
    await shell.press('C-c');
    const shown = await shell.waitForText('exit 130');
    const added = Number(/Stopped: (\d+) of 20000 pets added to staging/.exec(shown)?.[1]);
    expect(added).toBeGreaterThan(0);
    expect(shown).toContain(
      'Stopping: requests in flight are finishing; press Ctrl-C again to stop now.',
    );
    expect(shown.replaceAll('\n', '')).toContain(
      `Try:  petstore import ${file} --resume --env staging`,
    );
    await shell.run('stty -g | diff ~/before - && echo same');
    await shell.waitForText(/^same$/m);
    await shell.clear();
    await shell.run(`petstore import ${file} --resume --dry-run`);
    await shell.waitForText('exit 0');
    expect(await countPets(service)).toBe(added);
  });
});

async function countPets({ url, key }: { url: string; key: string }): Promise<number> {
  let count = 0;
  for (let next: URL | undefined = new URL(`${url}/pets?limit=100`); next !== undefined; ) {
    const reply: Response = await fetch(next, { headers: { authorization: `Bearer ${key}` } });
    const pets: unknown = await reply.json();
    count += Array.isArray(pets) ? pets.length : 0;
    const target = /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1];
    next = target === undefined ? undefined : new URL(target, next);
  }
  return count;
}
