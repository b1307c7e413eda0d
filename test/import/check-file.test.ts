import { describe, expect, it } from 'vitest';
import { chainKeys, countAlike } from '../../src/import/hash-row.ts';
import { check } from './read-rows.ts';

const rex = 'Rex,7,sold\n';
const header = 'name,category,status\n';

it('counts the rows that have the name and category of an earlier one', async () => {
  const { rows, hashes } = await check(`${header}${rex}Mia,8,\n${rex}Rex,8,sold\nRex,7,\n`);
  expect({ count: rows.length, alike: countAlike(hashes) }).toEqual({ count: 5, alike: 2 });
});

it('finds alike rows among many', async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => `Rex ${index % 4000},7,\n`).join('');
  expect(countAlike((await check(header + rows)).hashes)).toBe(1000);
});

it.each([
  ['id,name,category\n1,Rex,7\n', true],
  ['id,name,category\n,Rex,7\n', false],
  ['{"id":1,"name":"Rex","categoryId":7}', true],
])('says whether rows have ids: %j', async (text, hasIds) => {
  expect(await check(text)).toMatchObject({ hasIds });
});

it.each([
  ['another order', `${header}Mia,8,\n${rex}`],
  ['a row more', `${header}${rex}Mia,8,\nMia,8,\n`],
  ['another status', `${header}${rex}Mia,8,available\n`],
  ['a row cut in two', `${header}${rex}Mia,8,\n`.replace('Mia', 'M ia')],
])('has another digest for %s', async (_, text) => {
  const { digest } = await check(`${header}${rex}Mia,8,\n`);
  expect((await check(text)).digest).not.toBe(digest);
});

describe('the key of a row', () => {
  const keysOf = async (rows: string, nonce?: string) => {
    const { hashes } = await check(header + rows);
    return Array.from(hashes, (_, index) => chainKeys(hashes, nonce)(index));
  };
  const four = `${rex}${rex}Mia,8,\nBo,9,\n`;

  it('is its own, also of equal rows, and another one with a nonce', async () => {
    const keys = [...(await keysOf(four)), ...(await keysOf(four, 'nonce'))];
    expect(new Set(keys).size).toBe(8);
    expect(keys.every((key) => /^import-[0-9a-f]{64}$/.test(key))).toBe(true);
  });

  it('stays the same when rows come after it, or the status is corrected', async () => {
    const keys = await keysOf(four);
    expect((await keysOf(`${four}Ada,7,\n`)).slice(0, 4)).toEqual(keys);
    expect(await keysOf(four.replaceAll('sold', 'pending'))).toEqual(keys);
  });

  it('is another one after a row that changed', async () => {
    const [first, ...others] = await keysOf(four);
    const [same, ...changed] = await keysOf(four.replace(`${rex}${rex}`, `${rex}Rix,7,sold\n`));
    expect(same).toBe(first);
    expect(new Set([...others, ...changed]).size).toBe(6);
  });
});
