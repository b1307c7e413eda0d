import { encodePet, type Pet } from '../../contract/pet.ts';
import { type PetField, petFields } from '../../contract/pet-fields.ts';
import { escapeUnsafe } from '../text/safe-text.ts';

export interface PetJsonOptions {
  /** Undefined for the service's own shape. */
  fields: readonly PetField[] | undefined;
  /** int64 as strings. */
  hasStringIds: boolean;
}

/** One Pet as compact JSON, safe to print. An absent status stays absent. */
export function renderPetJson(pet: Pet, { fields, hasStringIds }: PetJsonOptions): string {
  if (fields === undefined && !hasStringIds) return escapeUnsafe(encodePet(pet));
  const members = (fields ?? petFields).flatMap((field) => {
    const value = pet[field];
    if (value === undefined) return [];
    const isBare = typeof value === 'bigint' && !hasStringIds;
    return [`"${field}":${isBare ? String(value) : JSON.stringify(String(value))}`];
  });
  return escapeUnsafe(`{${members.join(',')}}`);
}
