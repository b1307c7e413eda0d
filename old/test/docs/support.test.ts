import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../src/service/keys/issue-key.ts';
import { builtLine, serviceLine } from '../support/built-program.ts';
import { makeFolder } from '../support/make-folder.ts';
import { startService } from '../support/service.ts';

const exec = promisify(execFile);
const page = await readFile(path.resolve(import.meta.dirname, '../../docs/support.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);

/** A machine of somebody in support that is the operator's too. */
async function openMachine() {
  const folder = await makeFolder();
  const database = `sqlite:${path.join(folder, 'pets.db')}`;
  const rex = { name: 'Rex', categoryId: 7n };
  const production = await startService({ database, pets: [rex, { name: 'Max', categoryId: 3n }] });
  const staging = await startService({ pets: [rex, { name: 'Luna', categoryId: 2n }] });
  onTestFinished(() => Promise.all([staging.close(), production.close()]).then(() => {}));
  const till = await issueKey(production.store, { name: 'till-3', createdAt: new Date() });
  await mkdir(path.join(folder, 'bin'));
  const script = [
    '#!/bin/sh',
    `case $1 in serve | keys | db) exec ${serviceLine} "$@" ;; esac`,
    `exec ${builtLine} "$@"`,
    '',
  ];
  await writeFile(path.join(folder, 'bin/petstore'), script.join('\n'), { mode: 0o755 });
  const env = {
    HOME: folder,
    PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env.PATH}`,
    PETSTORE_SERVE_DATABASE: database,
    PETSTORE_STAGING_URL: staging.url,
    PETSTORE_STAGING_API_KEY: staging.key,
    PETSTORE_PRODUCTION_URL: production.url,
    PETSTORE_PRODUCTION_API_KEY: till.key,
  };
  // Not waited for synchronously: the services respond from this process.
  return (block: string) =>
    exec('sh', ['-ec', block.replaceAll('4711', '2')], { cwd: folder, env, timeout: 60_000 });
}

describe('the page for support', () => {
  it('has lines that work as they stand, and a comparison that finds what differs', async () => {
    const run = await openMachine();
    expect(blocks.length).toBeGreaterThan(5);
    const printed: string[] = [];
    for (const block of blocks) printed.push((await run(block)).stdout);
    // The block before added a second Rex to production.
    expect(printed.at(-1)).toBe('Luna,2,available\nMax,3,available\nRex,7,available\n');
    expect(printed[blocks.findIndex((block) => block.includes('--pet'))]).toContain('Max');
  }, 120_000);

  it('says the sentence that is sent to the operator', () => {
    expect(page).toMatch(/^> .*`petstore db audit --pet 4711`/m);
  });
});
