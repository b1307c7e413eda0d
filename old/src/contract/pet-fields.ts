import type { Pet } from './pet.ts';

/** The members of a Pet in the contract's order. Apart from its schema, so that `--help` need not load the schemas. */
export const petFields = ['id', 'name', 'categoryId', 'status'] as const satisfies (keyof Pet)[];
export type PetField = (typeof petFields)[number];
