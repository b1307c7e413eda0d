import fs from 'node:fs';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openImports } from '../../../src/import/staging/imports.ts';
import type { RowOutcome } from '../../../src/import/staging/staging.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { describeSubject, openTestImports, stage, startImport, target } from '../staged.ts';

const now = new Date('2026-01-01T00:00:00Z');
const subject = describeSubject('abc', 3);
const added: RowOutcome = { kind: 'added', pet: { id: 7n, name: 'Pet', categoryId: 1n } };

describe('imports', () => {
  it('have more rows than one statement of the database takes', async () => {
    const { staging } = startImport(openTestImports(await makeFolder()), 9_000);
    expect(staging.readUnsent(8_999)).toHaveLength(1);
  });

  it('have an id that can be typed', () => {
    expect(subject.id).toMatch(/^[0-9a-f]{16}$/);
  });

  it('are found again, with what became of their rows', async () => {
    const folder = await makeFolder();
    const { staging, record } = startImport(openTestImports(folder), 3);
    const rows = staging.readUnsent(0).slice(0, 1);
    staging.record(rows.map((row) => ({ row, outcome: added })));
    staging.close();

    const known = openTestImports(folder).open(subject.id);
    onTestFinished(() => known?.staging?.close());
    expect(known?.record).toEqual(record);
    expect(known?.counts).toEqual({ added: 1, rejected: 0, unknown: 0 });
    expect(known?.staging?.readUnsent(0).map(({ number }) => number)).toEqual([2, 3]);
  });

  it('are readable by their owner alone', async () => {
    const folder = await makeFolder();
    startImport(openTestImports(folder), 3);
    for (const name of await readdir(folder))
      expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['content', describeSubject('def', 3)],
    ['environment', describeSubject('abc', 3, { ...target, environment: 'production' })],
    ['base URL', describeSubject('abc', 3, { ...target, url: 'http://127.0.0.1:9090/v1' })],
  ])('of another %s are others', async (_, other) => {
    const imports = openTestImports(await makeFolder());
    startImport(imports, 3);
    expect(imports.open(other.id)).toBeUndefined();
  });

  it('are started though something that an earlier one left cannot be removed', async () => {
    const folder = await makeFolder();
    const left = path.join(folder, 'left.draft');
    await writeFile(left, '');
    const { rmSync } = fs;
    vi.spyOn(fs, 'rmSync').mockImplementation((file, options) => {
      if (file !== left) return rmSync(file, options);
      throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'unlink' });
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
    startImport(openTestImports(folder), 3).staging.close();
    expect(await readdir(folder)).toContain('left.draft');
  });

  it('have rows and keys of their own each time they are started', async () => {
    const folder = await makeFolder();
    const imports = openTestImports(folder);
    const first = startImport(imports, 3);
    first.staging.close();
    const again = startImport(imports, 3);
    again.staging.close();
    expect(first.record.run).toMatch(/^[0-9a-f]{32}$/);
    expect(again.record.run).toMatch(/^[0-9a-f]{32}$/);
    expect(again.record.run).not.toBe(first.record.run);
    expect(again.record.id).toBe(first.record.id);
    expect((await readdir(folder)).sort()).toEqual([`${again.record.run}.staging`, 'imports.db']);
  });

  it('leave a record and no rows once everything is added', async () => {
    const folder = await makeFolder();
    const imports = openTestImports(folder);
    const counts = { added: 3, rejected: 0, unknown: 0 };
    imports.finish(startImport(imports, 3), counts, now);
    expect(await readdir(folder)).toEqual(['imports.db']);
    const known = imports.open(subject.id);
    expect(known?.record).toMatchObject({ finishedAt: now.getTime(), ...counts });
    expect(known?.staging).toBeUndefined();
  });

  it('keep the rows that were not added', async () => {
    const imports = openTestImports(await makeFolder());
    const running = startImport(imports, 3);
    const { staging } = running;
    const rejected = { kind: 'rejected', status: 400, code: 'full', message: 'no ü' } as const;
    staging.record(
      staging.readUnsent(0).map((row) => ({ row, outcome: row.number === 2 ? rejected : added })),
    );
    imports.finish(running, { added: 2, rejected: 1, unknown: 0 }, now);
    staging.close();
    const known = imports.open(subject.id);
    onTestFinished(() => known?.staging?.close());
    expect(known?.counts).toMatchObject({ added: 2, rejected: 1 });
    const others = [...(known?.staging?.readOthers() ?? [])];
    expect(others).toMatchObject([{ row: { number: 2, source: 'Pet 2,1' }, outcome: rejected }]);
    expect(known?.staging?.readUnsent(0)).toEqual([]);
  });

  it('keep rows of unknown outcome as those that were rejected', async () => {
    const imports = openTestImports(await makeFolder());
    const running = startImport(imports, 3);
    imports.finish(running, { added: 1, rejected: 1, unknown: 1 }, now);
    running.staging.close();
    expect(imports.open(subject.id)?.staging).toBeDefined();
  });

  it('of which everything was added can be started again', async () => {
    const imports = openTestImports(await makeFolder());
    imports.finish(startImport(imports, 3), { added: 3, rejected: 0, unknown: 0 }, now);
    expect(startImport(imports, 3).counts).toEqual(
      expect.objectContaining({ added: 0, rejected: 0, unknown: 0 }),
    );
  });

  it('cannot be used when they are closed', async () => {
    const imports = openTestImports(await makeFolder());
    imports.close();
    expect(() => imports.findElsewhere(subject)).toThrow();
  });

  it('are finished also when what nobody needs any more cannot be removed', async () => {
    const imports = openTestImports(await makeFolder());
    const running = startImport(imports, 3);
    running.staging.close();
    expect(imports.finish(running, { added: 2, rejected: 1, unknown: 0 }, now)).toBeInstanceOf(
      Error,
    );
    expect(imports.open(subject.id)?.record.finishedAt).toBe(now.getTime());
  });

  it('are found by their file, the newest one', async () => {
    const imports = openTestImports(await makeFolder());
    const { record } = startImport(imports, 3);
    const { path: file } = subject;
    expect(imports.findByPath(file, target)).toEqual(record);
    expect(imports.findByPath('/elsewhere.csv', target)).toBeUndefined();
    expect(imports.findByPath(file, { ...target, environment: 'production' })).toBeUndefined();
  });

  it('are found by their content and base URL under another name of the service', async () => {
    const imports = openTestImports(await makeFolder());
    const { record } = startImport(imports, 3);
    expect(imports.findElsewhere(subject)).toBeUndefined();
    expect(imports.findElsewhere({ ...subject, environment: 'other' })).toEqual(record);
    expect(imports.findElsewhere({ ...subject, environment: 'other', url: 'x' })).toBeUndefined();
  });

  it('keep rejected rows for 90 days, and rows that were never sent for ever', async () => {
    const folder = await makeFolder();
    const imports = openTestImports(folder);
    const [finished, unfinished] = [startImport(imports, 3), startImport(imports, 3, 'def')];
    imports.finish(finished, { added: 2, rejected: 1, unknown: 0 }, now);
    for (const { staging } of [finished, unfinished]) staging.close();
    const listStaged = async () => (await readdir(folder)).filter((name) => /staging$/.test(name));
    for (const [days, left] of [
      [89, [finished, unfinished]],
      [91, [unfinished]],
    ] as const) {
      const then = new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
      const later = openImports(folder, () => then);
      onTestFinished(later.close);
      stage(later, 1).discard();
      expect((await listStaged()).sort()).toEqual(
        left.map(({ record }) => `${record.run}.staging`).sort(),
      );
    }
  });

  it('remove four files at a time that a crash left, the oldest first, and no others', async () => {
    const folder = await makeFolder();
    const left = ['e.draft', 'd.staging', 'c.draft', 'b.staging', 'a.draft'];
    for (const [age, name] of left.entries()) {
      const file = path.join(folder, name);
      await writeFile(file, 'cut off');
      await utimes(file, age, age);
    }
    for (const name of ['e.draft-journal', 'a.draft.bak'])
      await writeFile(path.join(folder, name), '');
    const imports = openTestImports(folder);
    const list = async () => (await readdir(folder)).sort();
    stage(imports, 1).discard();
    expect(await list()).toEqual(['a.draft', 'a.draft.bak', 'imports.db']);
    stage(imports, 1).discard();
    expect(await list()).toEqual(['a.draft.bak', 'imports.db']);
  });

  it('leave the journals of 0.1.0 alone', async () => {
    const folder = await makeFolder();
    await writeFile(path.join(folder, 'abc.journal'), 'H {}\n');
    stage(openTestImports(folder), 3).discard();
    expect((await readdir(folder)).sort()).toEqual(['abc.journal', 'imports.db']);
  });
});
