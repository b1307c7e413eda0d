import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeAdded } from '../../src/history/add-result.ts';
import { openHistory } from '../../src/history/open-history.ts';
import { makeFolder } from '../support/make-folder.ts';

const target = { environment: 'staging', url: 'https://pets.our-store.test/v1' };
const start = new Date('2026-11-20T09:00:00Z');
const later = (days: number) => new Date(start.getTime() + days * 24 * 60 * 60 * 1000);
const rex = { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' } as const;

async function openOne(file?: string) {
  const place = file ?? path.join(await makeFolder(), 'petstore', 'history.db');
  const history = openHistory(place);
  onTestFinished(history.close);
  return { history, file: place };
}

const addedAs = (id: bigint) => describeAdded({ pet: { ...rex, id }, isReplay: false });

/** As if so many entries had been written with the next one. */
function numberNext(file: string, entries: number): void {
  const database = new DatabaseSync(file);
  database.exec(`UPDATE sqlite_sequence SET seq = ${entries - 1} WHERE name = 'entries'`);
  database.close();
}

const rejected = { outcome: 'not_applied', petId: null, reason: 'no', isKeyHonored: true } as const;

describe('the history', () => {
  it('is for its owner alone, and knows an add before it was sent', async () => {
    const { history, file } = await openOne();
    const id = history.recordAdd(rex, 'k1', target, start);
    const other = await openOne(file);
    expect(other.history.list()).toEqual([
      {
        ...{ id, at: start, ...target, command: 'add', key: 'k1', pet: rex },
        ...{ outcome: 'unknown', petId: null, reason: null, isKeyHonored: true },
      },
    ]);
    const folder = path.dirname(file);
    for (const name of await readdir(folder))
      expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('survives the process that wrote it, its log included', async () => {
    const { history, file } = await openOne();
    history.complete(history.recordAdd(rex, 'k1', target, start), addedAs(2n ** 62n + 1n));
    history.close();
    const { history: next } = await openOne(file);
    expect(next.list()).toMatchObject([{ outcome: 'applied', petId: 2n ** 62n + 1n, pet: rex }]);
  });

  it('what is known of an add stays known', async () => {
    const { history } = await openOne();
    const id = history.recordAdd(rex, 'k1', target, start);
    history.complete(id, addedAs(7n));
    history.complete(id, rejected);
    expect(history.find(id)).toMatchObject({ outcome: 'applied', petId: 7n });
    expect(history.listUnsettled()).toEqual([]);
  });

  it('an add that succeeded settles earlier ones of the same key and service', async () => {
    const { history } = await openOne();
    const ids = [target, target, { ...target, url: 'https://other.test/v1' }].map((where) =>
      history.recordAdd(rex, 'k1', where, start),
    );
    history.complete(ids[1] ?? 0, addedAs(7n));
    expect(history.listUnsettled().map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it('an add that succeeded says nothing of another pet that was sent under its key', async () => {
    const { history } = await openOne();
    const other = history.recordAdd({ ...rex, name: 'Bella' }, 'k1', target, start);
    history.complete(history.recordAdd(rex, 'k1', target, start), addedAs(7n));
    expect(history.listUnsettled()).toMatchObject([{ id: other, petId: null }]);
  });

  it('finds when a key was sent first', async () => {
    const { history } = await openOne();
    history.recordAdd(rex, 'k1', target, start);
    history.recordAdd(rex, 'k1', target, later(6));
    const [newest] = history.listRecentAdds(target.url);
    expect(newest && history.findFirstUse(newest)).toEqual(start);
  });

  it('lists recent adds of one service, the newest first, without those that were not added', async () => {
    const { history } = await openOne();
    const names = ['a', 'b', 'c'];
    const ids = names.map((name) => history.recordAdd({ ...rex, name }, name, target, start));
    history.recordAdd(rex, 'd', { ...target, url: 'https://other.test/v1' }, start);
    history.complete(ids[1] ?? 0, rejected);
    expect(history.listRecentAdds(target.url).map(({ key }) => key)).toEqual(['c', 'a']);
  });

  it('lists at most a hundred recent adds, and everything since a time', async () => {
    const { history } = await openOne();
    for (let at = 0; at < 101; at += 1)
      history.recordAdd(rex, `k${at}`, target, new Date(start.getTime() + at));
    const recent = history.listRecentAdds(target.url);
    expect(recent).toHaveLength(100);
    expect(recent.at(-1)?.key).toBe('k1');
    expect(history.list(new Date(start.getTime() + 99)).map(({ key }) => key)).toEqual([
      'k100',
      'k99',
    ]);
  });

  it('an import is no recent add, and an add is not resumed by the run of an import', async () => {
    const { history } = await openOne();
    const add = history.recordAdd(rex, 'run-1', target, start);
    const subject = { importId: 'abc', file: null, rows: 2 };
    const id = history.recordImport(subject, 'run-1', target, start);
    expect(id).not.toBe(add);
    expect(history.find(id)).toEqual({
      ...{ id, at: start, ...target, command: 'import', key: 'run-1', ...subject },
      ...{ outcome: 'unknown', added: 0, rejected: 0, unknown: 0, isComplete: false },
    });
    expect(history.listRecentAdds(target.url).map((entry) => entry.id)).toEqual([add]);
  });

  it('a key is first used where it was sent to, and when it is recorded nowhere, by its own add', async () => {
    const { history } = await openOne();
    history.recordAdd(rex, 'k1', { ...target, url: 'https://other.test/v1' }, start);
    history.recordAdd(rex, 'k1', target, later(1));
    const [newest] = history.listRecentAdds(target.url);
    expect(newest && history.findFirstUse(newest)).toEqual(later(1));
    expect(newest && history.findFirstUse({ ...newest, key: 'k2', at: later(2) })).toEqual(
      later(2),
    );
  });

  it('an import is one line, whatever runs it takes', async () => {
    const { history } = await openOne();
    const subject = { importId: 'abc', file: '/pets.csv', rows: 2 };
    const id = history.recordImport(subject, 'run-1', target, start);
    const counts = { added: 1, rejected: 0, unknown: 0 };
    history.complete(id, { outcome: 'applied', ...counts, isComplete: false });
    expect(history.listUnsettled()).toMatchObject([{ id, outcome: 'applied', isComplete: false }]);
    expect(history.recordImport(subject, 'run-1', target, later(1))).toBe(id);
    expect(history.find(id)).toMatchObject({ outcome: 'unknown', added: 1 });
    history.complete(id, { outcome: 'applied', ...counts, added: 2, isComplete: true });
    expect(history.listUnsettled()).toEqual([]);
  });

  it('forgets after 90 days, and never uses a number again', async () => {
    const { history } = await openOne();
    const first = history.recordAdd(rex, 'k1', target, start);
    history.recordAdd(rex, 'k2', target, later(89));
    expect(history.list()).toHaveLength(2);
    const last = history.recordAdd(rex, 'k3', target, later(91));
    expect(history.list().map(({ key }) => key)).toEqual(['k3', 'k2']);
    expect(last).toBe(first + 2);
  });

  it('forgets the oldest of too many, those of unknown outcome last', async () => {
    const history = openHistory(path.join(await makeFolder(), 'history.db'), { known: 2, all: 4 });
    onTestFinished(history.close);
    const left = () => history.list().map(({ key }) => key);
    for (const key of ['a', 'B', 'c', 'd', 'e', 'f']) {
      const id = history.recordAdd(rex, key, target, start);
      if (key !== 'B') history.complete(id, rejected);
      if (key === 'e') expect(left()).toEqual(['e', 'd', 'B']);
    }
    expect(left()).toEqual(['f', 'e']);
  });

  it('has 10,000 entries at most, and 20,000 with those of unknown outcome', async () => {
    const { history, file } = await openOne();
    history.complete(history.recordAdd(rex, 'known', target, start), rejected);
    history.recordAdd(rex, 'unknown', target, start);
    const left = () => history.list().map(({ key }) => key);
    for (const [entries, keys] of [
      [10_000, ['last', 'unknown', 'known']],
      [10_001, ['last', 'unknown']],
      [20_001, ['last', 'unknown']],
      [20_002, ['last']],
    ] as const) {
      numberNext(file, entries);
      history.complete(history.recordAdd(rex, 'last', target, start), rejected);
      expect([...new Set(left())]).toEqual(keys);
    }
  });

  it('an add that was refused says nothing of earlier ones of the same key', async () => {
    const { history } = await openOne();
    const ids = [start, later(1)].map((at) => history.recordAdd(rex, 'k1', target, at));
    history.complete(ids[1] ?? 0, rejected);
    expect(history.listUnsettled().map(({ id }) => id)).toEqual(ids.slice(0, 1));
  });

  it('that is damaged is said with what is lost by moving it away', async () => {
    const file = path.join(await makeFolder(), 'history.db');
    await writeFile(file, 'no database '.repeat(1_000), { mode: 0o600 });
    expect(() => openHistory(file)).toThrow(
      expect.objectContaining({
        details: [
          'it holds what was added from this machine; without it, only that record is lost',
        ],
      }),
    );
  });

  it('says what is wrong with what stands in its place', async () => {
    const folder = await makeFolder();
    await mkdir(path.join(folder, 'history.db'));
    expect(() => openHistory(path.join(folder, 'history.db'))).toThrow(/is a folder, not a file/);
  });
});
