import { expect, it } from 'vitest';
import { countAlike } from '../../src/import/hash-row.ts';
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
