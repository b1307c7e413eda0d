import * as v from 'valibot';
import { Int64 } from './int64.ts';

export const petStatuses = ['available', 'pending', 'sold'] as const;

export const PetStatus = v.picklist(petStatuses, `must be one of ${petStatuses.join(', ')}`);
export type PetStatus = v.InferOutput<typeof PetStatus>;

/** The status of a pet added without one: otherwise the status filter, getPet's named replacement, could not find it. */
export const DEFAULT_STATUS: PetStatus = 'available';

export const NAME_MAX_CODE_POINTS = 255;

/** A valid name for a pet: 1 to 255 code points, one of them visible, none a control or a lone surrogate. */
export const PetName = v.pipe(
  v.string('must be a string'),
  v.check((name) => /\S/.test(name), 'must not be empty or only white space'),
  v.check(
    (name) => name.length <= NAME_MAX_CODE_POINTS || [...name].length <= NAME_MAX_CODE_POINTS,
    `must be at most ${NAME_MAX_CODE_POINTS} characters`,
  ),
  v.check((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'must not contain control characters'),
);

/** The body of a request that adds a pet (section 2.2). Unknown members are refused, `id` among them. */
export const NewPet = v.strictObject(
  { name: PetName, categoryId: Int64, status: v.exactOptional(PetStatus) },
  (issue) => (issue.expected === 'never' ? 'is not a field of a new pet' : 'must be a JSON object'),
);
export type NewPet = v.InferOutput<typeof NewPet>;

/**
 * A pet as the service returns it (section 2.1). Any name is accepted: what another implementation stored must still be
 * shown. Members beyond the contract are dropped.
 */
export const Pet = v.object(
  {
    id: Int64,
    name: v.string('must be a string'),
    categoryId: Int64,
    status: v.exactOptional(PetStatus),
  },
  'must be a JSON object',
);
export type Pet = v.InferOutput<typeof Pet>;

export const Pets = v.array(Pet, 'must be a JSON array');
export type Pets = v.InferOutput<typeof Pets>;

/** The body of a request that adds a pet, its members in the contract's order. */
export function encodeNewPet({ name, categoryId, status }: NewPet): string {
  const rest = status === undefined ? '' : `,"status":"${status}"`;
  return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}

/** One Pet as compact JSON, members in the contract's order. */
export function encodePet({ id, ...pet }: Pet): string {
  return `{"id":${id},${encodeNewPet(pet).slice(1)}`;
}
