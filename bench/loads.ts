import { encodeCursor } from '../src/service/routes/cursor.ts';

type Requests = readonly { readonly path: string; readonly body?: string }[];

export const firstPage: Requests = [{ path: '/v1/pets?limit=20' }];

/** Pages of 20 that begin after these ids. */
export function pagesAfter(ids: readonly number[], filter = ''): Requests {
  return ids.map((id) => ({
    path: `/v1/pets?limit=20${filter}&cursor=${encodeCursor(BigInt(id))}`,
  }));
}

export function petsById(ids: readonly number[]): Requests {
  return ids.map((id) => ({ path: `/v1/pets/${id}` }));
}

/** Different ids of a range, evenly spread and in no order that a cache could follow. */
export function spreadIds(first: number, last: number, count: number): number[] {
  const span = last - first + 1;
  // Multiples of a prime modulo the span meet every residue once, unless the span is a multiple of it.
  const prime = 1_299_709;
  return Array.from({ length: Math.min(count, span) }, (_, at) => first + ((at * prime) % span));
}

export function newPets(count: number): Requests {
  return Array.from({ length: count }, (_, at) => ({
    path: '/v1/pets',
    body: JSON.stringify({ name: `Rex ${at}`, categoryId: (at % 50) + 1, status: 'available' }),
  }));
}
