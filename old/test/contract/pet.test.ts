import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { describeIssues, formatName } from '../../src/contract/describe-issues.ts';
import { parseJson } from '../../src/contract/json.ts';
import { ListPetsQuery, NoQuery, operationPath } from '../../src/contract/operations.ts';
import { encodeNewPet, encodePet, NewPet, Pet, Pets, petStatuses } from '../../src/contract/pet.ts';
import { anyCharacter } from '../support/arbitraries.ts';

function complaintOf(schema: v.GenericSchema, input: unknown): string {
  const result = v.safeParse(schema, input);
  return result.success ? 'accepted' : describeIssues(result.issues);
}

const notInt64 = 'categoryId: must be an int64 integer';
const largest = '(the largest is 9223372036854775807)';
const smallest = '(the smallest is -9223372036854775808)';
const notStatus = 'status: must be one of available, pending, sold';
const isControl = 'name: must not contain control characters';
const isBlank = 'name: must not be empty or only white space';

describe('NewPet', () => {
  it.each([
    ['{"name":"Rex","categoryId":7}', 'accepted'],
    ['{"name":"Rex","categoryId":7,"status":"sold"}', 'accepted'],
    ['{"name":"Rex","categoryId":-9223372036854775808}', 'accepted'],
    ['{}', 'name: is required; categoryId: is required'],
    ['{"name":"Rex"}', 'categoryId: is required'],
    ['{"categoryId":7}', 'name: is required'],
    ['{"name":null,"categoryId":7}', 'name: must be a string'],
    ['{"name":7,"categoryId":7}', 'name: must be a string'],
    ['{"name":"","categoryId":7}', isBlank],
    ['{"name":" \\u3000","categoryId":7}', isBlank],
    ['{"name":"a\\u0000","categoryId":7}', isControl],
    ['{"name":"a\\u009b","categoryId":7}', isControl],
    ['{"name":"a\\ud800","categoryId":7}', isControl],
    ['{"name":"Rex","categoryId":"1"}', notInt64],
    ['{"name":"Rex","categoryId":1.5}', notInt64],
    ['{"name":"Rex","categoryId":1e400}', notInt64],
    ['{"name":"Rex","categoryId":null}', notInt64],
    ['{"name":"Rex","categoryId":{"toString":1}}', notInt64],
    ['{"name":"Rex","categoryId":9223372036854775808}', `${notInt64} ${largest}`],
    ['{"name":"Rex","categoryId":1000000000000000000000000}', `${notInt64} ${largest}`],
    ['{"name":"Rex","categoryId":-9223372036854775809}', `${notInt64} ${smallest}`],
    ['{"name":"Rex","categoryId":7,"status":null}', notStatus],
    ['{"name":"Rex","categoryId":7,"status":"Sold"}', notStatus],
    ['{"name":"Rex","categoryId":7,"id":1}', 'id: is not a field of a new pet'],
    ['{"name":"Rex","categoryId":7,"__proto__":{}}', '__proto__: is not a field of a new pet'],
    ['null', 'must be a JSON object'],
    ['[]', 'name: is required; categoryId: is required'],
    ['"Rex"', 'must be a JSON object'],
  ])('%s: %s', (body, complaint) => {
    expect(complaintOf(NewPet, parseJson(body))).toBe(complaint);
  });

  it.each([
    ['a', 255, 'accepted'],
    ['a', 256, 'name: must be at most 255 characters'],
    ['😀', 255, 'accepted'],
    ['😀', 256, 'name: must be at most 255 characters'],
  ])('a name of %s %i times: %s', (character, times, complaint) => {
    expect(complaintOf(NewPet, { name: character.repeat(times), categoryId: 1 })).toBe(complaint);
  });
});

describe('ListPetsQuery', () => {
  const limitRule = 'limit: must be a whole number from 1 to 100';

  it.each([
    [{}, { limit: 20 }],
    [{ limit: '1' }, { limit: 1 }],
    [
      { limit: '100', status: 'sold', cursor: 'x' },
      { limit: 100, status: 'sold', cursor: 'x' },
    ],
  ])('%j is read as %j', (query, expected) => {
    expect(v.parse(ListPetsQuery, query)).toEqual(expected);
  });

  it.each([
    ['0'],
    ['101'],
    ['-1'],
    ['1.0'],
    ['1e1'],
    ['010'],
    [' 5'],
    [''],
    ['many'],
    [['1', '2']],
  ])('limit %j is refused', (limit) => {
    expect(complaintOf(ListPetsQuery, { limit })).toBe(limitRule);
  });

  it('names an unknown status and an unknown parameter', () => {
    expect(complaintOf(ListPetsQuery, { status: 'lost', offset: '1' })).toBe(
      'status: must be one of available, pending, sold; offset: is not a parameter of this operation',
    );
  });
});

it('a Pet written by encodePet is the Pet that was given', () => {
  const pet = fc.record(
    {
      id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      name: fc.string({ unit: anyCharacter }),
      categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      status: fc.constantFrom(...petStatuses),
    },
    { requiredKeys: ['id', 'name', 'categoryId'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(pet, (value) => {
      expect(v.parse(Pet, parseJson(encodePet(value)))).toEqual(value);
    }),
  );
});

it('a Pet keeps what another implementation stored and drops what the contract does not name', () => {
  const text = '{"id":1,"name":"\\u001b[2J","categoryId":2,"color":"red"}';
  expect(v.parse(Pet, parseJson(text))).toEqual({ id: 1n, name: '\u001b[2J', categoryId: 2n });
});

it('a NewPet written by encodeNewPet is the one that was given, its members in the order of the contract', () => {
  const long = { name: 'Mrs "W"\u2028', categoryId: 9223372036854775807n } as const;
  expect(encodeNewPet(long)).toBe('{"name":"Mrs \\"W\\"\u2028","categoryId":9223372036854775807}');
  expect(encodeNewPet({ ...long, status: 'sold' })).toBe(
    '{"name":"Mrs \\"W\\"\u2028","categoryId":9223372036854775807,"status":"sold"}',
  );
});

it.each([
  [Pets, {}, 'must be a JSON array'],
  [Pets, ['Rex'], '0: must be a JSON object'],
  [Pet, { id: 1, name: 7, categoryId: 2 }, 'name: must be a string'],
  [ListPetsQuery, { cursor: ['a', 'b'] }, 'cursor: must be a cursor from a Link header'],
  [NoQuery, { limit: '1' }, 'limit: is not a parameter of this operation'],
  [NoQuery, {}, 'accepted'],
  [v.object({ a: v.object({ b: v.string('no') }) }), { a: { b: 1 } }, 'a.b: no'],
  [v.pipe(v.unknown(), v.check(Boolean, 'must not be nothing')), undefined, 'must not be nothing'],
])('%# a value that does not follow its schema: %j %j', (schema, value, complaint) => {
  expect(complaintOf(schema, value)).toBe(complaint);
});

it.each([
  ['', '""'],
  [' a', '" a"'],
  ['a ', '"a "'],
  ['a b', 'a b'],
  ['a\u0007', '"a\\u0007"'],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), `${'x'.repeat(100)}…`],
])('a made-up name %j is shown as %s', (name, shown) => {
  expect(formatName(name)).toBe(shown);
});

it('the path of an operation has its parameter filled in', () => {
  expect(operationPath('listPets')).toBe('/pets');
  expect(operationPath('getPet', '7')).toBe('/pets/7');
  expect(operationPath('getPet')).toBe('/pets/');
});
