import type { NewPet } from '../../../../src/contract/pet.ts';
import type { Addition, Store } from '../../../../src/service/storage/store.ts';
import type { readStoredPets } from '../../../support/stored-pets.ts';

/** An empty database on which any number of stores can be opened, one after another or at once. */
export interface StoreDatabase {
  /** Opens it as the service does. */
  open(): Promise<Store>;
  /** Opens it as a command does that shares it with the service. */
  openShared(): Promise<Store>;
  remove(): Promise<void>;
}

/** What each test finds: a store on an empty database. */
export interface OpenedStore {
  readonly database: StoreDatabase;
  /** A test that opens it again puts the new one here, which is closed in the end. */
  store: Store;
  list(
    query?: Partial<Parameters<Store['listPets']>[0]>,
  ): Promise<ReturnType<typeof readStoredPets>>;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
export const now = new Date('2026-11-20T12:00:00Z');
export const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);

export const rex: Required<NewPet> = { name: 'Rex', categoryId: 7n, status: 'available' };
export const nemo: Required<NewPet> = { name: 'Nemo', categoryId: 3n, status: 'sold' };
export const add = (pet: Required<NewPet>, idempotencyKey?: string): Addition => ({
  pet,
  idempotencyKey,
});
