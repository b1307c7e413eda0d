import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/contract/compile-schema.ts';
import { INT64_MAX, INT64_MIN } from '../../src/contract/int64.ts';
import { NewPet, Pet, Pets, petStatuses } from '../../src/contract/pet.ts';

const value = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    ' ',
    'Rex',
    'a'.repeat(256),
    '\u0007',
    '\ud800',
    1.5,
    NaN,
    {},
    [],
  ),
  fc.constantFrom<unknown>(
    ...petStatuses,
    INT64_MIN,
    INT64_MAX,
    INT64_MAX + 1n,
    2 ** 53,
    new LosslessNumber('1e400'),
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.integer(),
);
const member = fc.constantFrom(
  'id',
  'name',
  'categoryId',
  'status',
  'tag',
  'constructor',
  '__proto__',
);
const good = fc.record(
  {
    id: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: INT64_MIN, max: INT64_MAX })),
    name: fc.string({ minLength: 1 }),
    categoryId: fc.maxSafeInteger(),
    status: fc.constantFrom(...petStatuses),
    tag: fc.anything(),
  },
  { requiredKeys: ['name', 'categoryId'] },
);
const record = fc.oneof(
  good,
  value,
  fc.tuple(good, member, value).map(([pet, name, other]) => ({ ...pet, [name]: other })),
  fc.array(fc.tuple(member, value)).map((members) => Object.fromEntries(members)),
);

describe('a compiled schema', () => {
  it.each([
    ['Pet', Pet, record],
    ['NewPet', NewPet, record],
    ['Pets', Pets, fc.oneof(fc.array(record, { maxLength: 3 }), record)],
  ] as const)('parses any value as valibot does: %s', (_, schema, values) => {
    const safeParse = compileSchema(schema);
    fc.assert(
      fc.property(values, fc.boolean(), (one, abortEarly) => {
        expect(safeParse(one, { abortEarly })).toEqual(v.safeParse(schema, one, { abortEarly }));
      }),
      { numRuns: 500 },
    );
  });

  it('puts the members in the order of the schema and drops the others', () => {
    const { output } = compileSchema(Pet)({
      status: 'sold',
      x: 1,
      categoryId: 7,
      name: 'Rex',
      id: 1,
    });
    expect(Object.entries(output ?? {})).toEqual([
      ['id', 1n],
      ['name', 'Rex'],
      ['categoryId', 7n],
      ['status', 'sold'],
    ]);
  });

  it('is not made of rules that it does not know', () => {
    expect(() => compileSchema(v.pipe(v.string(), v.email()))).toThrow('type email');
    expect(() => compileSchema(v.nullable(v.string()))).toThrow('type nullable');
  });
});
