import * as v from 'valibot';
import { parseJson } from '../../src/contract/json.ts';
import { encodePet, Pets } from '../../src/contract/pet.ts';
import type { StoredPage, StoredPet } from '../../src/service/storage/store.ts';

/** The pets of a page one by one, as `findPet` would give them. */
export function readStoredPets({ json }: StoredPage): StoredPet[] {
  return v.parse(Pets, parseJson(json)).map((pet) => ({ id: pet.id, json: encodePet(pet) }));
}
