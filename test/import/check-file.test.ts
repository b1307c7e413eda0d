import { expect, it } from 'vitest';
import { check } from './read-rows.ts';

const rex = 'Rex,7,sold\n';
const header = 'name,category,status\n';

it('counts the rows that are the same as an earlier one', async () => {
  const { count, alike } = await check(`${header}${rex}Mia,8,\n${rex}Rex,8,sold\n${rex}`);
  expect({ count, alike }).toEqual({ count: 5, alike: 2 });
});

it('finds alike rows among many', async () => {
  const rows = Array.from({ length: 5000 }, (_, index) => `Rex ${index % 4000},7,\n`).join('');
  expect(await check(header + rows)).toMatchObject({ count: 5000, alike: 1000 });
});

it('shows the first five rows', async () => {
  const { first } = await check(header + 'Rex,1,\nMia,2,\n'.repeat(3));
  expect(first.map(({ name }) => name)).toEqual(['Rex', 'Mia', 'Rex', 'Mia', 'Rex']);
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
