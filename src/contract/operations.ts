import * as v from 'valibot';
import { PetStatus } from './pet.ts';

/** Section 8: how many pets one page may hold. */
export const pageLimits = { min: 1, max: 100, default: 20 } as const;

/** The instant from which getPet is gone (sections 4.3 and 9). */
export const GET_PET_SUNSET = new Date('2030-12-05T00:00:00Z');

/** The instant this service announced the deprecation, for the `Deprecation` header (RFC 9745). */
export const GET_PET_DEPRECATED = new Date('2026-11-20T00:00:00Z');

export const BASE_PATH = '/v1';

/** The operations of section 4, paths relative to the base URL, and the access that a key needs. */
export const operations = {
  listPets: { method: 'GET', path: '/pets', access: 'read' },
  createPet: { method: 'POST', path: '/pets', access: 'write' },
  getPet: { method: 'GET', path: '/pets/{petId}', access: 'read' },
} as const;

/** `desc` is newest first, an addition of this service. */
export const orders = ['asc', 'desc'] as const;
export type Order = (typeof orders)[number];

const unknownParameter = 'is not a parameter of this operation';

export const NoQuery = v.strictObject({}, unknownParameter);

const limitRule = `must be a whole number from ${pageLimits.min} to ${pageLimits.max}`;

/** The query of listPets as it is in a URL: text in, values out. `order` and `cursor` are additions of this service. */
export const ListPetsQuery = v.strictObject(
  {
    limit: v.optional(
      v.pipe(
        v.string(limitRule),
        v.regex(/^[1-9]\d{0,2}$/, limitRule),
        v.transform(Number),
        v.maxValue(pageLimits.max, limitRule),
      ),
      String(pageLimits.default),
    ),
    status: v.optional(PetStatus),
    order: v.optional(v.picklist(orders, `must be one of ${orders.join(', ')}`), 'asc'),
    cursor: v.exactOptional(v.string('must be a cursor from a Link header')),
  },
  unknownParameter,
);
export type ListPetsQuery = v.InferOutput<typeof ListPetsQuery>;
