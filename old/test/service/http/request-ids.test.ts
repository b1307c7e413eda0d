import { expect, it } from 'vitest';
import { formatApiKey } from '../../../src/contract/api-key.ts';
import { createRequestIds } from '../../../src/service/http/request-ids.ts';

it.each(['a', 'order-7/2', '00-4bf92f35:1+2=3@till.4_5', 'x'.repeat(128)])(
  'a request has the id that it came with: %s',
  (id) => {
    expect(createRequestIds()({ 'x-request-id': id })).toBe(id);
  },
);

it.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one that is too long', 'x'.repeat(129)],
  ['a space', 'a b'],
  ['a space at its end', 'ab '],
  ['a space before it', ' ab'],
  ['what would end a field', 'a\nb'],
  ['a letter that is not ASCII', 'é'],
  ['an API key', formatApiKey(new Uint8Array(32))],
  ['a text with an API key in it', `key=${formatApiKey(new Uint8Array(32))}`],
])('a request with %s gets a new one', (_, id) => {
  const headers = id === undefined ? {} : { 'x-request-id': id };
  expect(createRequestIds()(headers)).toMatch(/^[\w-]{8}-1$/);
});

it('new ones are counted in few characters, after what is random for each service', () => {
  const create = createRequestIds();
  const ids = Array.from({ length: 36 }, () => create({}));
  const prefix = ids[0]?.slice(0, 8);
  expect([ids[0], ids[1], ids[35]]).toEqual([`${prefix}-1`, `${prefix}-2`, `${prefix}-10`]);
  expect(createRequestIds()({}).slice(0, 8)).not.toBe(prefix);
});
