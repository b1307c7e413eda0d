import { describe, expect, it } from 'vitest';
import { hashRows } from '../../src/import/hash-row.ts';
import { encodeHashes, type ImportRecord } from '../../src/import/import-record.ts';
import { type PlanOptions, planImport } from '../../src/import/plan-import.ts';

/** A letter is a row. */
const hash = (rows: string) =>
  hashRows([...rows].map((name) => ({ pet: { name, categoryId: 7n } })));

/** `record('ABC', 'iin')`: the rows A and B are in, C was not added. */
function record(rows: string, states: string, others: Partial<ImportRecord> = {}): ImportRecord {
  return {
    ...{ name: 'pets.csv', baseUrl: 'https://pets.test/v1', digest: rows, states },
    ...{ started: '2026-11-25T12:00:00.000Z', hashes: encodeHashes(hash(rows)) },
    ...others,
  };
}

interface Case extends Partial<Omit<PlanOptions, 'hashes' | 'knowsKeys'>> {
  readonly isForgotten?: boolean;
}

/** Such as `send BC`, `send BC, nonce`, `copy BC`, `finish 2>1` (its row 2 is row 1 of the file), `unsure 3`. */
async function describePlan(rows: string, { isForgotten = false, ...known }: Case) {
  const { own, others = [] } = known;
  const plan = await planImport({
    ...{ own, others, name: 'pets.csv', wanted: undefined, isFirstWanted: false },
    records: own === undefined ? others : [own, ...others],
    ...{ hashes: hash(rows), knowsKeys: async () => !isForgotten, ...known },
  });
  const left = 'isIn' in plan ? [...rows].filter((_, index) => !plan.isIn[index]).join('') : '';
  if (plan.kind === 'send')
    return `send ${left}${plan.nonce === undefined ? '' : plan.nonce === 'old' ? ', old nonce' : ', nonce'}`;
  if (plan.kind === 'copy') return `copy ${left}`;
  if (plan.kind === 'finish')
    return `finish ${plan.pairs.map(({ earlier, row }) => `${earlier + 1}>${row + 1}`).join(' ')}`;
  if (plan.kind === 'unsure') return `unsure ${plan.rows.map((row) => row + 1).join(' ')}`;
  return plan.kind;
}

const isNew = { wanted: 'new' } as const;
const isAgain = { wanted: 'again' } as const;

describe('the very same rows', () => {
  it.each<[string, string, Case, string]>([
    ['all are in', 'ABC', { own: record('ABC', 'iii') }, 'done'],
    ['all are in, --new', 'ABC', { own: record('ABC', 'iii'), ...isNew }, 'done'],
    ['all are in, --again', 'ABC', { own: record('ABC', 'iii'), ...isAgain }, 'send ABC, nonce'],
    ['refused', 'ABC', { own: record('ABC', 'ini') }, 'send B'],
    ['refused, long ago', 'ABC', { own: record('ABC', 'ini'), isForgotten: true }, 'send B'],
    ['refused, --again', 'ABC', { own: record('ABC', 'ini'), ...isAgain }, 'send B'],
    ['killed', 'ABC', { own: record('ABC', 'sss') }, 'send ABC'],
    ['killed, --new', 'ABC', { own: record('ABC', 'sss'), ...isNew }, 'send ABC'],
    ['killed, --again', 'ABC', { own: record('ABC', 'sss'), ...isAgain }, 'send ABC'],
    ['unknown', 'ABC', { own: record('ABC', 'iun') }, 'send BC'],
    ['killed long ago', 'ABC', { own: record('ABC', 'iss'), isForgotten: true }, 'unsure 2 3'],
    ['unknown long ago', 'ABC', { own: record('ABC', 'iun'), isForgotten: true }, 'unsure 2'],
    ['a second delivery', 'AB', { own: record('AB', 'is', { nonce: 'old' }) }, 'send B, old nonce'],
    [
      'not added here, but by a file that grew',
      'ABC',
      { own: record('ABC', 'inn'), others: [record('ABD', 'iii')] },
      'send C',
    ],
    [
      'a second delivery, of which a file that grew says nothing',
      'AB',
      { own: record('AB', 'in', { nonce: 'old' }), others: [record('ABD', 'iii')] },
      'send B, old nonce',
    ],
  ])('%s', async (_, rows, known, plan) => {
    expect(await describePlan(rows, known)).toBe(plan);
  });
});

describe('other rows in a file of the same name', () => {
  const all = record('ABCD', 'iiii');
  it.each<[string, string, Case, string]>([
    ['nothing is known', 'AB', {}, 'send AB'],
    ['nothing is known, --again', 'AB', isAgain, 'send AB, nonce'],
    ['nothing is known, --new', 'AB', isNew, 'first'],
    ['nothing is known, --new, wanted', 'AB', { ...isNew, isFirstWanted: true }, 'send AB'],
    ['a row added', 'ABCDE', { others: [all] }, 'copy E'],
    ['a row added, --new', 'ABCDE', { others: [all], ...isNew }, 'send E'],
    ['a row added, --again', 'ABCDE', { others: [all], ...isAgain }, 'send ABCDE, nonce'],
    ['a row corrected', 'ABXD', { others: [all] }, 'copy X'],
    ['a row removed', 'ABD', { others: [all] }, 'copy '],
    ['a row removed, --new', 'ABD', { others: [all], ...isNew }, 'done'],
    ['the order changed', 'DCBA', { others: [all] }, 'copy '],
    ['half of the earlier rows', 'ABVWXYZ', { others: [all] }, 'copy VWXYZ'],
    ['half of these rows', 'AX', { others: [all] }, 'copy X'],
    ['fewer', 'AVWXYZ', { others: [all] }, 'send AVWXYZ, nonce'],
    ['fewer, --new', 'AVWXYZ', { others: [all], ...isNew }, 'send VWXYZ'],
    [
      'half of these rows, from two imports',
      'ABVW',
      { others: [record('AEFG', 'iiii'), record('BHIJ', 'iiii')] },
      'copy VW',
    ],
    [
      'stopped after one row, then corrected',
      'AXYZVW',
      { others: [record('ABCDEF', 'innnnn')] },
      'copy XYZVW',
    ],
    ['all refused', 'AB', { others: [record('ABC', 'nnn')] }, 'send AB'],
    ['two equal rows, one is in', 'AA', { others: [record('AB', 'ii')], ...isNew }, 'send A'],
    ['two equal rows, both in', 'AAB', { others: [record('AA', 'ii')], ...isNew }, 'send B'],
    [
      'a row repeated each night',
      'AC',
      { others: [record('AB', 'ii'), record('A', 'i')], ...isNew },
      'send C',
    ],
    [
      'of another name',
      'AB',
      { others: [record('ABC', 'iii', { name: 'x.csv' })], ...isNew },
      'first',
    ],
  ])('%s', async (_, rows, known, plan) => {
    expect(await describePlan(rows, known)).toBe(plan);
  });
});

describe('rows that begin as another delivery', () => {
  const of = (rows: string, states: string, others = {}) => ({
    records: [record(rows, states, { name: 'x.csv', ...others })],
  });
  it.each<[string, string, Case, string]>([
    ['were added by it', 'AXY', of('AB', 'ii'), 'send AXY, nonce'],
    ['may have been added by it', 'AXY', of('AB', 'ss'), 'send AXY, nonce'],
    ['are unknown in it', 'AXY', of('AB', 'uu'), 'send AXY, nonce'],
    ['are all of its rows', 'ABC', of('AB', 'ii'), 'send ABC, nonce'],
    ['are fewer than its rows', 'A', of('AB', 'ii'), 'send A, nonce'],
    ['were added by one from stdin', 'AXY', of('AB', 'ii', { name: '' }), 'send AXY, nonce'],
    ['were added after others that were not', 'ABX', of('ABC', 'nin'), 'send ABX, nonce'],
    ['were not added by it', 'AXY', of('AB', 'nn'), 'send AXY'],
    ['have other keys there', 'AXY', of('AB', 'ii', { nonce: 'old' }), 'send AXY'],
    ['come later there', 'BXY', of('AB', 'ii'), 'send BXY'],
    [
      'and are known to be in: only the new rows are sent, under the keys that any computer makes',
      'ABC',
      { others: [record('AB', 'ii')], ...isNew },
      'send C',
    ],
    [
      'and were never sent by an earlier run of the same line',
      'AX',
      { own: record('AX', 'nn'), ...of('AB', 'ii') },
      'send AX, nonce',
    ],
    [
      'and were sent by an earlier run of the same line, whose keys they keep',
      'AXY',
      { own: record('AXY', 'isn'), ...of('AXZ', 'iii') },
      'send XY',
    ],
  ])('%s', async (_, rows, known, plan) => {
    expect(await describePlan(rows, known)).toBe(plan);
  });
});

describe('a file that grew after its import was killed', () => {
  const killed = record('ABCD', 'isss');
  it.each<[string, string, Case, string]>([
    ['goes on with that first', 'ABCDE', { others: [killed], ...isNew }, 'finish 2>2 3>3 4>4'],
    ['asks without --new', 'ABCDE', { others: [killed] }, 'finish 2>2 3>3 4>4'],
    ['finds rows in another order', 'EDCA', { others: [killed], ...isNew }, 'finish 4>2 3>3'],
    ['shares only what was in', 'AXY', { others: [killed], ...isNew }, 'send XY'],
    ['is another file', 'XY', { others: [killed], ...isNew }, 'send XY'],
    [
      'is unsure once keys are forgotten',
      'ABCDE',
      { others: [killed], ...isNew, isForgotten: true },
      'unsure 2 3 4',
    ],
    [
      'takes two equal rows for two',
      'BBE',
      { others: [record('BBB', 'sss')], ...isNew },
      'finish 1>1 2>2',
    ],
    ['is wanted again as a whole', 'ABCDE', { others: [killed], ...isAgain }, 'send ABCDE, nonce'],
    [
      'is the newest that was killed',
      'AB',
      { others: [record('AX', 'ii'), record('AB', 'ss'), record('ABC', 'sss')], ...isNew },
      'finish 2>2',
    ],
    [
      'but not under another name',
      'ABE',
      { others: [record('AB', 'ss', { name: 'other.csv' })], isFirstWanted: true, ...isNew },
      'send ABE, nonce',
    ],
  ])('%s', async (_, rows, known, plan) => {
    expect(await describePlan(rows, known)).toBe(plan);
  });
});
