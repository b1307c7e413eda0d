import { pino } from 'pino';
import { DEFAULT_STATUS, type NewPet } from '../../src/contract/pet.ts';
import { type ServiceLimits, serviceLimits } from '../../src/service/limits.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import type { Store } from '../../src/service/storage/store.ts';
import { testSettings } from './settings.ts';
import { openTestStore, type TestStore } from './test-store.ts';

export type TestService = RunningService & Omit<TestStore, 'remove'>;

export interface TestServiceOptions {
  /** Pets that are there from the start, with the ids 1, 2, 3 … in this order. */
  readonly pets?: readonly NewPet[];
  /** The instant by which getPet is judged. */
  readonly asOf?: Date;
  /** A database URL; a new SQLite file unless given. */
  readonly database?: string;
  readonly limits?: Partial<ServiceLimits>;
}

/** The real service, from source, on a free port of 127.0.0.1: `afterAll(service.close)`. */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { remove, ...opened } = await openTestStore(options.database);
  const { store } = opened;
  await addPets(store, options.pets ?? []);
  const service = await startService({
    settings: testSettings({ asOf: options.asOf }),
    store,
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    limits: { ...serviceLimits, drainMs: 0, ...options.limits },
  });
  const close = async () => {
    await service.close();
    await remove();
  };
  return { ...service, ...opened, close };
}

async function addPets(store: Store, pets: readonly NewPet[]): Promise<void> {
  const [owner] = await store.listKeys();
  if (owner === undefined || pets.length === 0) return;
  const additions = pets.map((pet) => ({
    pet: { ...pet, status: pet.status ?? DEFAULT_STATUS },
    keyId: owner.id,
  }));
  await store.addPets(additions, new Date());
}
