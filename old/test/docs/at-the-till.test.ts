import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../support/make-folder.ts';
import { createHome, runPetstore } from '../support/run-program.ts';
import { startService } from '../support/service.ts';
import { stagingAt } from '../support/staging.ts';

const read = (file: string) => readFile(path.resolve(import.meta.dirname, '../..', file), 'utf8');
const page = await read('docs/at-the-till.md');
const lines = [...page.matchAll(/^ *\$ petstore (.+)$/gm)].map(([, line = '']) => line);

/** As a shell splits them. */
function split(line: string): string[] {
  return (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"(.*)"$/, '$1'));
}

describe('the page for the till', () => {
  it('fits on one printed page', () => {
    expect(page.split('\n').length).toBeLessThan(95);
    expect(page.split(/\s+/).length).toBeLessThan(700);
  });

  it('has no word that store staff would have to look up', () => {
    const words =
      /\b(JSON|HTTP|URL|API(?! key for)|environment|variable|stdin|stdout|config|flag|int64)\b/i;
    expect(page.split('\n').filter((line) => words.test(line))).toEqual([]);
  });

  it('every line on it works', async () => {
    const pets = Array.from({ length: 42 }, (_, index) => ({
      name: `Guppy ${index}`,
      categoryId: 7n,
    }));
    const service = await startService({ pets });
    onTestFinished(service.close);
    const folder = await makeFolder();
    await writeFile(
      path.join(folder, 'delivery.csv'),
      'Status,Category,Name\nSold,7,Rex\n,7,Mia\n',
    );
    const env = { ...stagingAt(service.url, service.key), HOME: await createHome() };
    // Without a person to ask, `add` alone names what is missing.
    const asked = ['add'];
    const codes = new Map<string, number>();
    for (const line of lines) {
      const argv = split(line).map((word) =>
        word.replace('delivery.csv', `${folder}/delivery.csv`),
      );
      codes.set(line, (await runPetstore(argv, { env })).exitCode);
    }
    expect(codes.size).toBeGreaterThan(6);
    expect([...codes].filter(([line, code]) => code !== (asked.includes(line) ? 2 : 0))).toEqual(
      [],
    );
  });

  it('quotes messages as the program says them', async () => {
    const folder = path.resolve(import.meta.dirname, '../golden/errors');
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
    const said = texts.join('\n');
    const quoted = [...page.matchAll(/^\| `(.+?)` \|/gm)].flatMap(([, text = '']) =>
      text.split('…'),
    );
    expect(quoted.length).toBeGreaterThan(8);
    expect(quoted.filter((text) => !said.includes(text.trim()))).toEqual([]);
  });
});
