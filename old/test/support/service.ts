import { inject } from 'vitest';
import { DEFAULT_STATUS, type NewPet } from '../../src/contract/pet.ts';
import { issueKey } from '../../src/service/keys/issue-key.ts';
import {
  openService,
  type RunningService,
  type ServiceOptions,
} from '../../src/service/open-service.ts';
import { createTestSchema, type TestDatabase } from './postgres.ts';

export interface TestService extends RunningService {
  /** An API key that the service accepts. */
  readonly key: string;
}

export interface TestServiceOptions {
  /** Pets that are there from the start, with the ids 1, 2, 3 … in this order. */
  readonly pets?: readonly NewPet[];
  /** The instant by which getPet is judged. */
  readonly asOf?: Date;
  /** A database URL; by default an empty database of the kind that this run of the tests is for. */
  readonly database?: string;
  /** Whatever else a test of the service itself needs to be different. */
  readonly overrides?: Partial<ServiceOptions>;
}

/**
 * The real service on a free port of 127.0.0.1, on a database of its own, with one valid key.
 * Close it: `onTestFinished(service.close)` or `afterAll(service.close)`.
 */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await createDatabase(options.database);
  const service = await openService({
    host: '127.0.0.1',
    port: 0,
    database: database.url,
    asOf: options.asOf,
    behindProxy: false,
    docs: true,
    logLevel: 'silent',
    writeLog: () => {},
    now: () => new Date(),
    ...options.overrides,
    limits: { drainTime: 0, ...options.overrides?.limits },
  });
  const now = new Date();
  const pets = (options.pets ?? []).map((pet) => ({ pet: { status: DEFAULT_STATUS, ...pet } }));
  await service.store.addPets(pets, now);
  const { key } = await issueKey(service.store, { name: 'test', createdAt: now });
  const close = async () => {
    await service.close();
    await database.drop();
  };
  return { ...service, key, close };
}

async function createDatabase(given: string | undefined): Promise<TestDatabase> {
  if (given === undefined && inject('serviceDatabase') === 'postgres') {
    return await createTestSchema();
  }
  return { url: given ?? 'sqlite::memory:', drop: async () => {} };
}
