import { expect, it } from 'vitest';
import { errorStatus } from '../../src/contract/error.ts';
import { openApi } from '../../src/contract/openapi.ts';
import { ListPetsQuery, operations } from '../../src/contract/operations.ts';

// That the service does what the document says is held by npm run test:conformance.

it('describes every operation of the contract, and no other', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      { method: method.toUpperCase(), path },
    ]),
  );
  const expected = Object.entries(operations).map(([name, { method, path }]) => [
    name,
    { method, path },
  ]);
  expect(described).toEqual(expected);
});

it('describes every query parameter that the service takes, and no other', () => {
  const described = openApi.paths['/pets'].get.parameters.map(({ name }) => name);
  expect(described).toEqual(Object.keys(ListPetsQuery.entries));
});

it('gives each failure an example with its own code and status', () => {
  const { responses } = openApi.paths['/pets'].post;
  expect(Object.keys(responses)).toEqual([
    '201',
    '400',
    '401',
    '403',
    '408',
    '409',
    '413',
    '415',
    '422',
    '431',
    '500',
    '503',
  ]);
  expect(responses).toMatchObject({
    422: { content: { 'application/json': { example: { code: 'idempotency_mismatch' } } } },
  });
});

it('lists the closed set of error codes', () => {
  expect(openApi.components.schemas.Error.properties.code.enum).toEqual(Object.keys(errorStatus));
});
