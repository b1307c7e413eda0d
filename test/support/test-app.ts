import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { type Logger, pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { type ErrorCode, errorStatus } from '../../src/contract/error.ts';
import { parseJson } from '../../src/contract/json.ts';
import { type AppParts, type AppSettings, buildApp } from '../../src/service/app.ts';
import { type ServiceLimits, serviceLimits } from '../../src/service/limits.ts';
import { createAddQueue } from '../../src/service/storage/add-queue.ts';
import type { Store } from '../../src/service/storage/store.ts';
import { testSettings } from './settings.ts';
import { openTestStore, type TestStore } from './test-store.ts';

export interface TestAppOptions extends Partial<AppSettings> {
  /** A database URL; a new SQLite file unless given. */
  readonly database?: string;
  /** Stands in front of the real store, to fail. */
  readonly wrapStore?: (store: Store) => Store;
  readonly limits?: Partial<ServiceLimits>;
  readonly clock?: () => Date;
  readonly log?: Logger;
  readonly stopping?: AbortController;
  readonly metrics?: AppParts['metrics'];
}

export interface TestApp extends Omit<TestStore, 'remove'> {
  readonly app: FastifyInstance;
  readonly stopping: AbortController;
  /** Sends a request with the key, unless the options have another Authorization. */
  call(options: InjectOptions): Promise<LightMyRequestResponse>;
  get(path: string): Promise<LightMyRequestResponse>;
  /** Adds a pet by its JSON text. */
  post(body: string | Buffer, headers?: InjectOptions['headers']): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

/** The service without a socket, closed at the end of the test. */
export async function createTestApp(options?: TestAppOptions): Promise<TestApp> {
  const service = await openTestApp(options);
  onTestFinished(service.close);
  return service;
}

/** The same for several tests: `afterAll(service.close)`. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? (() => new Date());
  const { store: opened, key, createKey, remove } = await openTestStore(options.database, clock);
  const store = options.wrapStore?.(opened) ?? opened;
  const limits = { ...serviceLimits, ...options.limits };
  const stopping = options.stopping ?? new AbortController();
  const app = await buildApp({
    ...{ store, limits, clock, settings: testSettings(options) },
    log: options.log ?? pino({ level: 'silent' }),
    adds: createAddQueue(store, { clock, limit: limits.waitingAdds }),
    keyUses: { note: () => {} },
    stopping: stopping.signal,
    metrics: options.metrics,
  });
  const close = async () => {
    await app.close();
    await opened.close();
    await remove();
  };
  const call: TestApp['call'] = ({ headers, ...rest }) =>
    app.inject({ ...rest, headers: { authorization: `Bearer ${key}`, ...headers } });
  return {
    ...{ app, store, key, stopping, createKey, call, close },
    get: (url) => call({ url }),
    post: (body, headers) =>
      call({
        method: 'POST',
        url: '/v1/pets',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      }),
  };
}

/** Holds a response to what every failure looks like (contract, section 7). */
export function expectFailure(
  response: Pick<LightMyRequestResponse, 'statusCode' | 'body' | 'headers'>,
  code: ErrorCode,
  message = /\w/,
): void {
  const status = errorStatus[code];
  expect(parseJson(response.body)).toEqual({
    ...{ code, status },
    message: expect.stringMatching(message),
  });
  expect(response.statusCode).toBe(status);
  expect(response.headers['content-type']).toMatch(/^application\/json/);
}
