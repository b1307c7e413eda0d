import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../../support/make-folder.ts';
import { describeSubject, openTestImports, stage, startImport } from '../staged.ts';

const subject = describeSubject('abc', 3);
const second = 'is being imported by another process';

describe('two imports of one file', () => {
  it('are refused while the first one runs, and others are not', async () => {
    const folder = await makeFolder();
    const first = startImport(openTestImports(folder), 3);
    const imports = openTestImports(folder);
    expect(() => imports.open(subject.id)).toThrow(
      expect.objectContaining({
        code: 'cli_import_exists',
        message: 'This file is being imported by another process',
        details: [
          'into staging · http://127.0.0.1:8080/v1',
          'two imports of one file would add every pet twice',
        ],
      }),
    );
    startImport(imports, 3, 'def');
    first.staging.close();
    imports.open(subject.id)?.staging?.close();
  });

  it('are refused when both were staged before one was started', async () => {
    const folder = await makeFolder();
    const [one, other] = [openTestImports(folder), openTestImports(folder)];
    const drafts = [stage(one, 3), stage(other, 3)] as const;
    const started = one.start(drafts[0], subject, undefined);
    expect(() => other.start(drafts[1], subject, undefined)).toThrow(second);
    drafts[1].discard();
    expect(started.staging.readUnsent(0)).toHaveLength(3);
    started.staging.close();
  });

  it('are possible after the first was killed', async () => {
    const folder = await makeFolder();
    const holder = await startHolder(
      folder,
      'return startImport(openImports(folder, () => new Date()), 3)',
    );
    const imports = openTestImports(folder);
    expect(() => imports.open(subject.id)).toThrow(second);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    imports.open(subject.id)?.staging?.close();
  });
});

describe('a run that died while it staged', () => {
  it('blocks nothing, and what it left is removed by the next one', async () => {
    const folder = await makeFolder();
    const holder = await startHolder(
      folder,
      `const draft = openImports(folder, () => new Date()).createDraft();
       for (const row of createRows(50_000)) draft.add(row);
       return draft`,
    );
    const imports = openTestImports(folder);
    stage(imports, 3).discard();
    const alive = (await readdir(folder)).filter((name) => name.endsWith('.draft'));
    expect(alive).toHaveLength(1);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const { staging, record } = startImport(imports, 3);
    staging.close();
    expect((await readdir(folder)).sort()).toEqual([`${record.run}.staging`, 'imports.db']);
  });
});

/** Another process that does this in the folder and then stays. */
async function startHolder(folder: string, action: string) {
  const file = path.join(await makeFolder(), 'hold.mts');
  const source = JSON.stringify(path.resolve('src/import/staging/imports.ts'));
  await writeFile(
    file,
    `import { openImports } from ${source};
     const folder = ${JSON.stringify(folder)};
     const createRows = (count) => Array.from({ length: count }, (_, index) =>
       ({ number: index + 1, line: index + 2, pet: { name: 'Pet', categoryId: 1n }, source: 'Pet,1' }));
     const startImport = (imports, rows) => {
       const draft = imports.createDraft();
       for (const row of createRows(rows)) draft.add(row);
       draft.complete({ format: 'csv', header: '' });
       return imports.start(draft, ${JSON.stringify(subject)}, undefined);
     };
     const hold = () => { ${action} };
     const held = hold();
     console.log('held');
     // Garbage collection would close what nothing refers to.
     setInterval(() => held, 1000);`,
  );
  const holder = spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return holder;
}
