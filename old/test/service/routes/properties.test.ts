import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { stringifyJson } from '../../../src/contract/json.ts';
import { Pet } from '../../../src/contract/pet.ts';
import { ServiceError } from '../../../src/contract/service-error.ts';
import { anyCharacter, anyNewPet } from '../../support/arbitraries.ts';
import { call, post } from '../../support/http.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
afterAll(service.close);

/** JSON that is nearly a NewPet more often than not. */
const nearlyNewPet = fc.record(
  {
    name: fc.oneof(fc.string({ unit: anyCharacter }), fc.jsonValue()),
    categoryId: fc.oneof(fc.maxSafeInteger(), fc.bigInt(), fc.double(), fc.jsonValue()),
    status: fc.oneof(fc.constantFrom('available', 'sold', 'lost'), fc.jsonValue()),
    id: fc.integer(),
  },
  { requiredKeys: [] },
);

it('any JSON body gives 201 with a pet or 400 with an Error, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(nearlyNewPet, fc.jsonValue()), async (value) => {
      const { status, body } = await post(service, stringifyJson(value));
      if (status === 201) v.parse(Pet, body);
      else expect(v.parse(ServiceError, body)).toMatchObject({ status: 400 });
      expect([201, 400]).toContain(status);
    }),
    { numRuns: 300 },
  );
});

it('any text as a body gives 201 or 400', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: anyCharacter }), fc.json()), async (text) => {
      expect([201, 400]).toContain((await post(service, text)).status);
    }),
    { numRuns: 200 },
  );
});

it('what was stored is what was sent', async () => {
  await fc.assert(
    fc.asyncProperty(anyNewPet(), async (pet) => {
      const added = await post(service, stringifyJson(pet));
      const stored = v.parse(Pet, added.body);
      expect(stored).toEqual({ id: stored.id, ...pet });
      const got = await call(service, `/pets/${stored.id}`);
      expect(v.parse(Pet, got.body)).toEqual(stored);
    }),
    { numRuns: 200 },
  );
});

it('any query and any path get a status below 500 with a body of JSON', async () => {
  const word = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('limit', 'status', 'cursor'),
  );
  const query = fc.array(fc.tuple(word, word)).map((pairs) => {
    return pairs.map((pair) => pair.map((part) => encodeURIComponent(part)).join('='));
  });
  await fc.assert(
    fc.asyncProperty(query, fc.webPath(), async (pairs, path) => {
      const list = await call(service, `/pets?${pairs.join('&')}`);
      expect([200, 400]).toContain(list.status);
      const other = await call(service, `/pets/${path.slice(1)}`);
      expect([200, 400, 404]).toContain(other.status);
    }),
    { numRuns: 200 },
  );
});
