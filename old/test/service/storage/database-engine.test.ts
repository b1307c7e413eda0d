import { expect, it } from 'vitest';
import { maskDatabaseUrl } from '../../../src/service/storage/database-engine.ts';

it.each([
  ['postgres://me:se@cr/et@host/pets', 'postgres://me:…@host/pets'],
  ['postgres://:secret@host/pets', 'postgres://:…@host/pets'],
  ['postgres://me@host/pets', 'postgres://me@host/pets'],
  ['sqlite:/data/a:b@c.db', 'sqlite:/data/a:b@c.db'],
  ['postgres://host:5432/pets', 'postgres://host:5432/pets'],
])('%s is shown as %s', (url, shown) => {
  expect(maskDatabaseUrl(url)).toBe(shown);
});
