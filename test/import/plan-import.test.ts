import { describe, expect, it } from 'vitest';
import type { ImportRecord } from '../../src/import/import-record.ts';
import { planImport } from '../../src/import/plan-import.ts';

const now = new Date('2026-11-25T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3600_000).toISOString();

const base = { name: 'pets.csv', baseUrl: 'https://pets.test/v1', rows: 10, started: hoursAgo(1) };
const ended = { isFinished: true, added: 10, refused: 0, unknown: 0 };
const complete: ImportRecord = { ...base, result: ended };
const partial: ImportRecord = { ...base, result: { ...ended, added: 7, refused: 3 } };
const stopped: ImportRecord = { ...base, result: { ...ended, isFinished: false, added: 4 } };
const killed: ImportRecord = base;
const old: ImportRecord = { ...base, started: hoursAgo(7 * 24 - 0.5) };
const almostOld: ImportRecord = { ...base, started: hoursAgo(7 * 24 - 1.5) };
const none = { ...ended, isFinished: false, added: 0 };
const nothing: ImportRecord = { ...old, result: none };
const unknown: ImportRecord = { ...old, result: { ...none, unknown: 1 } };
const early: ImportRecord = { ...base, started: hoursAgo(-24) };
const killedAgain: ImportRecord = { ...base, nonce: 'earlier' };

interface Case {
  readonly own?: ImportRecord;
  readonly previous?: ImportRecord;
  readonly isAgain?: boolean;
  readonly honorsKeys?: boolean;
}

/** `start`, `start with a nonce`, `resume`, `resume with earlier`, `done`, `unsafe`, `start, corrected` */
async function describePlan({ own, previous, isAgain = false, honorsKeys = true }: Case) {
  const plan = await planImport({
    own,
    previous,
    isAgain,
    now,
    honorsKeys: async () => honorsKeys,
  });
  const nonce =
    'nonce' in plan ? plan.nonce : plan.kind === 'resume' ? plan.record.nonce : undefined;
  if ('corrects' in plan && plan.corrects !== undefined) return 'start, corrected';
  if (nonce === undefined) return plan.kind;
  return `${plan.kind} with ${nonce === 'earlier' ? nonce : 'a nonce'}`;
}

describe('the same line again', () => {
  it.each<[string, Case, string]>([
    ['nothing is known', {}, 'start'],
    ['nothing is known, --again', { isAgain: true }, 'start with a nonce'],
    ['killed', { own: killed }, 'resume'],
    ['killed, --again', { own: killed, isAgain: true }, 'resume'],
    ['stopped', { own: stopped }, 'resume'],
    ['almost seven days old', { own: almostOld }, 'resume'],
    ['killed, started by a clock that was set back since', { own: early }, 'unsafe'],
    ['killed, too old', { own: old }, 'unsafe'],
    ['nothing added, too old, keys not honored', { own: nothing, honorsKeys: false }, 'resume'],
    ['one row unknown, too old', { own: unknown }, 'unsafe'],
    ['killed, too old, --again', { own: old, isAgain: true }, 'start with a nonce'],
    ['killed, keys not honored', { own: killed, honorsKeys: false }, 'unsafe'],
    [
      'killed, keys not honored, --again',
      { own: killed, honorsKeys: false, isAgain: true },
      'start with a nonce',
    ],
    ['rows refused', { own: partial }, 'resume'],
    ['rows refused, --again', { own: partial, isAgain: true }, 'start with a nonce'],
    ['rows refused, keys not honored', { own: partial, honorsKeys: false }, 'unsafe'],
    ['finished', { own: complete }, 'done'],
    ['finished long ago', { own: { ...complete, started: hoursAgo(999) } }, 'done'],
    ['finished, keys not honored', { own: complete, honorsKeys: false }, 'done'],
    ['finished, --again', { own: complete, isAgain: true }, 'start with a nonce'],
    ['--again killed', { own: killedAgain }, 'resume with earlier'],
    ['--again killed, --again', { own: killedAgain, isAgain: true }, 'resume with earlier'],
    ['another file of this name, all added', { previous: complete }, 'start'],
    ['another file of this name, rows refused', { previous: partial }, 'start, corrected'],
    [
      'another file of this name, all rows refused',
      { previous: { ...base, result: { ...ended, added: 0, refused: 10 } } },
      'start',
    ],
    ['another file of this name, killed', { previous: killed }, 'start, corrected'],
    [
      'another file of this name, rows refused, --again',
      { previous: partial, isAgain: true },
      'start with a nonce',
    ],
    ['both', { own: killed, previous: partial }, 'resume'],
  ])('%s', async (_, known, plan) => {
    expect(await describePlan(known)).toBe(plan);
  });
});
