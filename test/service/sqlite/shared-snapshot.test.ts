import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../../src/service/sqlite/open-connection.ts';
import { createSharedSnapshot } from '../../../src/service/sqlite/shared-snapshot.ts';

async function openTwo() {
  const folder = await mkdtemp(path.join(tmpdir(), 'petstore-snapshot-'));
  const file = path.join(folder, 'some.db');
  const reading = openConnection(file);
  const writing = new DatabaseSync(file);
  const snapshot = createSharedSnapshot(reading);
  onTestFinished(async () => {
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
  it('shows all reads of a turn the same state, and the next turn what was written', async () => {
    const { count, write } = await openTwo();
    expect(count()).toEqual({ count: 0n });
    write();
    expect(count()).toEqual({ count: 0n });
    await nextTurn();
    expect(count()).toEqual({ count: 1n });
  });

  it('shows what was written as soon as it is ended', async () => {
    const { count, write, snapshot } = await openTwo();
    expect(count()).toEqual({ count: 0n });
    write();
    snapshot.end();
    expect(count()).toEqual({ count: 1n });
  });

  it('leaves no transaction open behind its turn', async () => {
    const { count, reading } = await openTwo();
    count();
    expect(reading.isTransaction).toBe(true);
    await nextTurn();
    expect(reading.isTransaction).toBe(false);
  });

  it('goes on when a failure has ended the transaction before it', async () => {
    const { count, reading } = await openTwo();
    count();
    reading.exec('ROLLBACK');
    await nextTurn();
    expect(count()).toEqual({ count: 0n });
  });
});
