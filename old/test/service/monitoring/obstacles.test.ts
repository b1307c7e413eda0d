import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/service/monitoring/log.ts';
import {
  createReport,
  findObstacle,
  noteFailure,
  type Obstacles,
} from '../../../src/service/monitoring/obstacles.ts';
import {
  StoreDamagedError,
  StoreMalformedError,
  StoreOutcomeUnknownError,
  StoreUnavailableError,
} from '../../../src/service/storage/store.ts';

describe('what is in the way of an add', () => {
  it('is what lasts longest', () => {
    const obstacles: Obstacles = {};
    expect(findObstacle(obstacles)).toBeUndefined();
    for (const kind of ['write', 'check', 'damage', 'malformed'] as const) {
      obstacles[kind] = `found by ${kind}`;
      expect(findObstacle(obstacles)).toBe(`found by ${kind}`);
    }
  });

  it.each([
    [new StoreMalformedError('a page'), { malformed: 'a page' }],
    [new StoreDamagedError('a table'), { damage: 'a table' }],
    [new StoreUnavailableError('the disk is full'), { write: 'the disk is full' }],
    [new StoreOutcomeUnknownError('the disk fails'), { write: 'the disk fails' }],
    [new TypeError('a bug'), {}],
  ])('is known by the failure: %o', (error, known) => {
    const obstacles: Obstacles = {};
    noteFailure(obstacles, error);
    expect(obstacles).toEqual(known);
  });

  it('is logged when it is another one, as an error when an operator must act', () => {
    const lines: unknown[] = [];
    const obstacles: Obstacles = {};
    const report = createReport(
      obstacles,
      createLog((line) => lines.push(JSON.parse(line)), 'info'),
    );
    const set = (changes: Obstacles) => {
      Object.assign(obstacles, changes);
      report();
      report();
    };
    report();
    set({ write: 'full' });
    set({ check: 'silent' });
    set({ damage: 'table' });
    set({ malformed: 'page' });
    set({ damage: undefined });
    set({ malformed: undefined });
    set({ check: undefined, write: undefined });
    expect(lines).toMatchObject([
      { level: 'warn', message: 'not ready', reason: 'full' },
      { level: 'warn', message: 'not ready', reason: 'silent' },
      { level: 'error', message: 'not ready', reason: 'table' },
      { level: 'error', message: 'not ready', reason: 'page' },
      { level: 'warn', message: 'not ready', reason: 'silent' },
      { level: 'info', message: 'ready again' },
    ]);
    expect(lines).toHaveLength(6);
  });

  it('is found without a log', () => {
    const obstacles: Obstacles = { write: 'full' };
    const report = createReport(
      obstacles,
      createLog(() => expect.unreachable(), 'silent'),
    );
    report();
    obstacles.write = undefined;
    report();
  });
});
