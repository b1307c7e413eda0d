import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openConnection } from '../../../../../src/service/storage/sqlite/connection/open-connection.ts';
import { createSharedSnapshot } from '../../../../../src/service/storage/sqlite/connection/shared-snapshot.ts';

async function openTwo() {
  vi.useFakeTimers();
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-snapshot-'));
  const file = path.join(folder, 'some.db');
  const reading = openConnection(file);
  const writing = new DatabaseSync(file);
  const snapshot = createSharedSnapshot(reading);
  onTestFinished(async () => {
    vi.useRealTimers();
    snapshot.end();
    reading.close();
    writing.close();
    await rm(folder, { recursive: true });
  });
  writing.exec('CREATE TABLE numbers (number INTEGER)');
  const statement = reading.prepare('SELECT count(*) AS count FROM numbers');
  return {
    reading,
    snapshot,
    count: () => snapshot.read(() => statement.get()),
    write: () => writing.exec('INSERT INTO numbers VALUES (1)'),
  };
}

describe('a shared snapshot', () => {
  it('shows all reads of ten milliseconds the same state, and then what was written', async () => {
    const { count, write } = await openTwo();
    expect(count()).toEqual({ count: 0n });
    write();
    expect(count()).toEqual({ count: 0n });
    vi.advanceTimersByTime(9);
    expect(count()).toEqual({ count: 0n });
    vi.advanceTimersByTime(1);
    expect(count()).toEqual({ count: 1n });
  });

  it('shows what was written as soon as it is ended', async () => {
    const { count, write, snapshot } = await openTwo();
    expect(count()).toEqual({ count: 0n });
    write();
    snapshot.end();
    expect(count()).toEqual({ count: 1n });
  });

  it('leaves no transaction open after its time', async () => {
    const { count, reading } = await openTwo();
    count();
    expect(reading.isTransaction).toBe(true);
    vi.advanceTimersByTime(10);
    expect(reading.isTransaction).toBe(false);
  });

  it('goes on when a failure has ended the transaction before it', async () => {
    const { count, reading } = await openTwo();
    count();
    reading.exec('ROLLBACK');
    vi.advanceTimersByTime(10);
    expect(count()).toEqual({ count: 0n });
  });

  it('is ended also when the transaction cannot be committed', async () => {
    const { count, reading, snapshot } = await openTwo();
    reading.exec('CREATE TABLE owners (id INTEGER PRIMARY KEY)');
    reading.exec(
      'CREATE TABLE pets (owner INTEGER REFERENCES owners DEFERRABLE INITIALLY DEFERRED)',
    );
    snapshot.read(() => reading.exec('INSERT INTO pets VALUES (7)'));
    snapshot.end();
    expect(reading.isTransaction).toBe(false);
    expect(count()).toEqual({ count: 0n });
  });
});
