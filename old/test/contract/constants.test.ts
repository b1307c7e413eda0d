import { expect, it } from 'vitest';
import { headers, IDEMPOTENCY_DAYS, IDEMPOTENCY_LIFETIME_MS } from '../../src/contract/headers.ts';
import { GET_PET_DEPRECATED, GET_PET_SUNSET } from '../../src/contract/operations.ts';
import { outputFormats, shortFormats } from '../../src/contract/output-formats.ts';
import { DEFAULT_STATUS } from '../../src/contract/pet.ts';
import { createServiceError } from '../../src/contract/service-error.ts';

it('an error of the service has the status that belongs to its code', () => {
  expect(createServiceError('not_found', 'no pet')).toEqual({
    code: 'not_found',
    message: 'no pet',
    status: 404,
  });
});

it('idempotency keys are remembered for seven days', () => {
  expect(IDEMPOTENCY_DAYS).toBe(7);
  expect(IDEMPOTENCY_LIFETIME_MS).toBe(604_800_000);
});

it('header fields have the names that the pages name', () => {
  expect(Object.values(headers)).toEqual([
    'Idempotency-Key',
    'Idempotency-Replayed',
    'Petstore-Idempotency',
    'Petstore-Key',
    'X-Request-Id',
  ]);
});

it('every output format but the default has a flag of its own', () => {
  expect(outputFormats[0]).toBe('table');
  expect(shortFormats).toEqual(['json', 'ndjson', 'csv']);
});

it('getPet was deprecated and is removed at the instants of the contract', () => {
  expect(GET_PET_DEPRECATED.toISOString()).toBe('2026-11-20T00:00:00.000Z');
  expect(GET_PET_SUNSET.toISOString()).toBe('2030-12-05T00:00:00.000Z');
});

it('a pet is available unless its status is given', () => {
  expect(DEFAULT_STATUS).toBe('available');
});
