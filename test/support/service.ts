import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { pino } from 'pino';
import { formatApiKey } from '../../src/contract/api-key.ts';
import type { KeyAccess } from '../../src/contract/headers.ts';
import { DEFAULT_STATUS, type NewPet } from '../../src/contract/pet.ts';
import { hashApiKey } from '../../src/service/keys/hash-api-key.ts';
import { type ServiceLimits, serviceLimits } from '../../src/service/limits.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import { parseDatabaseUrl } from '../../src/service/storage/database-url.ts';
import { openStore } from '../../src/service/storage/open-store.ts';
import type { Store } from '../../src/service/storage/store.ts';
import { openTemporaryFolder } from './temporary-folder.ts';

export interface TestService extends RunningService {
  readonly store: Store;
  /** An API key that may write. */
  readonly key: string;
  /** Another key. */
  createKey(options: TestKeyOptions): Promise<string>;
}

export interface TestServiceOptions {
  /** Pets that are there from the start, with the ids 1, 2, 3 … in this order. */
  readonly pets?: readonly NewPet[];
  /** The instant by which getPet is judged. */
  readonly asOf?: Date;
  /** A database URL; a new SQLite file unless given. */
  readonly database?: string;
  readonly limits?: Partial<ServiceLimits>;
}

interface TestKeyOptions {
  readonly name: string;
  readonly access?: KeyAccess;
  readonly expiresAt?: Date;
}

/** The real service, from source, on a free port of 127.0.0.1: `afterAll(service.close)`. */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const folder = await openTemporaryFolder();
  const database = options.database ?? `sqlite:${path.join(folder.path, 'petstore.db')}`;
  const store = await openStore(parseDatabaseUrl(database), { isExclusive: true });
  const createKey = (key: TestKeyOptions) => storeKey(store, key);
  const key = await createKey({ name: 'test' });
  await addPets(store, options.pets ?? []);
  const service = await startService({
    settings: {
      ...{ host: '127.0.0.1', port: 0, docs: false, behindProxy: false },
      ...{ asOf: options.asOf, tlsCert: undefined, tlsKey: undefined, metricsPort: undefined },
    },
    store,
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    limits: { ...serviceLimits, drainMs: 0, ...options.limits },
  });
  const close = async () => {
    await service.close();
    await folder.remove();
  };
  return { ...service, store, key, createKey, close };
}

async function storeKey(store: Store, options: TestKeyOptions): Promise<string> {
  const { name, access = 'write', expiresAt } = options;
  const key = formatApiKey(randomBytes(32));
  await store.createKey({ name, access, expiresAt, createdAt: new Date(), hash: hashApiKey(key) });
  return key;
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
